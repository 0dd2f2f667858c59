// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/object_survey.hpp"

#include "mpi/window_transfer.hpp"

#include <algorithm>
#include <iterator>
#include <set>

namespace tracefold {

void ObjectSurvey::begin_rank(const CommunicatorTable& table) {
    table_ = &table;
    files_.emplace_back(definitions_, table);
}

u64 ObjectSurvey::add(const MpiCall& call) {
    if (call.patch_effect == MpiCall::PatchEffect::left_out) return kNone;
    if (call.family == CallFamily::window) {
        if (const auto transfer = read_transfer(call)) {
            u64& extent = extents_[transfer->window];
            extent = std::max(extent, transfer->bytes());
            largest_ = std::max(largest_, transfer->bytes());
        }
        const Action* const made = find_record(call, EventType::RmaWinCreate);
        return made == nullptr ? kNone : table_->communicator_of_window(made->fields[0]);
    }
    if (call.family != CallFamily::file) return kNone;
    const auto transfer = read_file_transfer(call);
    const u64 bytes = transfer ? transfer->bytes : 0;
    largest_ = std::max(largest_, bytes);
    const FileUse* const opened = files_.back().add(call, bytes);
    return opened == nullptr ? kNone : opened->comm;
}

void ObjectSurvey::finish() {
    std::vector<FileUses*> all;
    for (FileUses& uses : files_) all.push_back(&uses);
    sizes_ = FileUses::agree(definitions_, all, [](std::vector<u64>& /*values*/, bool /*sum*/) {});
    std::set<u64> opened;
    for (const FileUses& uses : files_) {
        uses.for_each([&opened](const FileUse& use) { opened.insert(use.file); });
    }
    std::erase_if(sizes_, [&opened](const auto& file) { return !opened.contains(file.first); });
}

u64 ObjectSurvey::extent(u64 window) const {
    const auto found = extents_.find(window);
    return found == extents_.end() ? 0 : found->second;
}

u64 ObjectSurvey::number_of(u64 file) const {
    return static_cast<u64>(std::distance(sizes_.begin(), sizes_.lower_bound(file)));
}

}  // namespace tracefold
