// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/object_survey.hpp"

#include "base/hash.hpp"
#include "mpi/window_transfer.hpp"

#include <algorithm>
#include <iterator>

namespace tracefold {

void ObjectSurvey::begin_rank(const CommunicatorTable& table) {
    table_ = &table;
    recent_ = nullptr;
    bare_calls_ = 0;
}

ObjectSurvey::Handle* ObjectSurvey::expect(u64 handle) {
    const FileHandleDefinition* const definition = definitions_.find(handle);
    const CommunicatorView* const view =
        definition == nullptr ? nullptr : table_->find(definition->comm);
    if (view == nullptr) return nullptr;
    Handle& known = handles_[{table_->world_rank(), handle}];
    known.file = definition->file;
    known.comm = definition->comm;
    known.rank = view->rank_of(table_->world_rank());
    known.is_alone = view->members.size() == 1;
    return &known;
}

ObjectSurvey::Handle* ObjectSurvey::use(u64 handle) {
    const auto found = handles_.find({table_->world_rank(), handle});
    return recent_ = found == handles_.end() ? nullptr : &found->second;
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
    if (const Action* made = find_record(call, EventType::IoCreateHandle)) {
        recent_ = expect(made->fields[0]);
        if (recent_ != nullptr) recent_->layout.rewind();
        return recent_ == nullptr ? kNone : recent_->comm;
    }
    if (const auto transfer = read_file_transfer(call)) {
        Handle* const handle = use(transfer->handle);
        if (handle == nullptr) return kNone;
        handle->layout.transfer(position_of(call.function), transfer->offset, transfer->bytes);
        largest_ = std::max(largest_, transfer->bytes);
    } else if (const Action* seek = find_record(call, EventType::IoSeek)) {
        Handle* const handle = use(seek->fields[0]);
        if (handle == nullptr) return kNone;
        handle->layout.seek(call.function == MpiFunction::File_seek_shared, seek->fields[3]);
    } else if (find_record(call, EventType::IoDestroyHandle) != nullptr) {
        recent_ = nullptr;
    } else if (is_bare_file_call(call.function) && recent_ != nullptr) {
        add_bare(call.function);
    }
    return kNone;
}

/// All processes of a file must make the same calls at the same places.
void ObjectSurvey::add_bare(MpiFunction function) {
    if (!recent_->is_alone) {
        const u64 call = (++bare_calls_ << 16U) + static_cast<u64>(function);
        recent_->bare_calls = (recent_->bare_calls + call) * kGolden;
    }
    if (function == MpiFunction::File_set_view) recent_->layout.begin_view();
}

void ObjectSurvey::finish() {
    struct Facts {
        u64 calls = 0;
        bool alike = true;
        u64 unit = 1;
        bool shared = false;
        u64 stride = 0;
        u64 moved = 0;
        u64 end = 0;
    };
    std::map<u64, Facts> all;
    for (const auto& [key, handle] : handles_) {
        const auto [place, is_first] = all.try_emplace(key.second);
        Facts& facts = place->second;
        if (is_first) facts.calls = handle.bare_calls;
        facts.alike = facts.alike && facts.calls == handle.bare_calls;
        facts.unit = std::max(facts.unit, handle.layout.views.unit());
        facts.shared = facts.shared || handle.layout.shared;
        facts.moved += handle.layout.plain.shared_bytes() + handle.layout.views.shared_bytes();
    }
    for (const auto& [key, handle] : handles_) {
        Facts& facts = all[key.second];
        facts.stride = std::max(facts.stride, handle.layout.views.end(facts.unit));
    }
    for (auto& [key, handle] : handles_) {
        Facts& facts = all[key.second];
        FileLayout& layout = handle.layout;
        layout.unit = facts.unit;
        layout.shared = facts.shared;
        layout.stride = facts.stride;
        handle.bare = handle.is_alone || facts.alike;
        facts.end = std::max({facts.end, static_cast<u64>(layout.part(handle.rank)) + layout.stride,
                              layout.plain.end(1), layout.plain.shared_offset(),
                              layout.views.shared_offset() * layout.unit});
    }
    for (const auto& [key, handle] : handles_) {
        u64& size = sizes_[handle.file];
        size = std::max(size, all[key.second].end + all[key.second].moved);
    }
    for (auto& [key, handle] : handles_) {
        handle.size = sizes_[handle.file];
        handle.number = number_of(handle.file);
    }
}

u64 ObjectSurvey::extent(u64 window) const {
    const auto found = extents_.find(window);
    return found == extents_.end() ? 0 : found->second;
}

const ObjectSurvey::Handle* ObjectSurvey::find(u32 rank, u64 handle) const {
    const auto found = handles_.find({rank, handle});
    return found == handles_.end() ? nullptr : &found->second;
}

u64 ObjectSurvey::number_of(u64 file) const {
    return static_cast<u64>(std::distance(sizes_.begin(), sizes_.lower_bound(file)));
}

}  // namespace tracefold
