// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/dumpi_communicators.hpp"

#include "core/error.hpp"
#include "exporters/dumpi_file.hpp"

#include <algorithm>

namespace tracefold {

DumpiCommunicators::DumpiCommunicators(const CommunicationSurvey& survey, u32 ranks)
    : numbers_(survey.context_count(), DumpiFile::kWorldComm) {
    for (const CommunicationSurvey::Context& context : survey.contexts()) {
        const bool is_inter = context.first_side != context.members.size();
        if (!is_inter && !is_whole_world(context, ranks)) split(context, ranks);
    }
}

bool DumpiCommunicators::fits(const Split& split,
                              const CommunicationSurvey::Context& context) const {
    return std::ranges::all_of(context.members,
                               [&](u32 rank) { return split.colors[rank] == kNone; });
}

void DumpiCommunicators::split(const CommunicationSurvey::Context& context, u32 ranks) {
    if (splits_.empty() || !fits(splits_.back(), context)) {
        const std::size_t number = splits_.size() + DumpiFile::kFirstComm;
        if (number > 0xffff) {
            throw Error(ErrorKind::unsupported,
                        "the trace has more communicators than DUMPI has numbers for");
        }
        splits_.push_back(
            {std::vector<u32>(ranks, kNone), std::vector<u32>(ranks, 0), static_cast<u16>(number)});
    }
    Split& last = splits_.back();
    for (u32 member = 0; member < context.members.size(); ++member) {
        last.colors[context.members[member]] = context.number;
        last.keys[context.members[member]] = member;
    }
    numbers_[context.number] = last.number;
}

}  // namespace tracefold
