// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/dumpi_communicators.hpp"

#include "core/error.hpp"
#include "exporters/dumpi_file.hpp"

#include <algorithm>

namespace tracefold {

DumpiCommunicators::DumpiCommunicators(const Survey& survey, u32 ranks)
    : numbers_(survey.room_count(), DumpiFile::kWorldComm) {
    for (const Survey::Room& room : survey.rooms()) {
        const bool is_inter = room.first_side != room.members.size();
        if (!is_inter && !is_whole_world(room, ranks)) split(room, ranks);
    }
}

bool DumpiCommunicators::fits(const Split& split, const Survey::Room& room) const {
    return std::ranges::all_of(room.members, [&](u32 rank) { return split.colors[rank] == kNone; });
}

void DumpiCommunicators::split(const Survey::Room& room, u32 ranks) {
    if (splits_.empty() || !fits(splits_.back(), room)) {
        const std::size_t number = splits_.size() + DumpiFile::kFirstComm;
        if (number > 0xffff) {
            throw Error(ErrorKind::unsupported,
                        "the trace has more communicators than DUMPI has numbers for");
        }
        splits_.push_back(
            {std::vector<u32>(ranks, kNone), std::vector<u32>(ranks, 0), static_cast<u16>(number)});
    }
    Split& last = splits_.back();
    for (u32 member = 0; member < room.members.size(); ++member) {
        last.colors[room.members[member]] = room.number;
        last.keys[room.members[member]] = member;
    }
    numbers_[room.number] = last.number;
}

}  // namespace tracefold
