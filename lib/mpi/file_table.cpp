// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/file_table.hpp"

#include "model/definition_table.hpp"

namespace tracefold {

FileTable::FileTable(TraceFile& file) {
    drain(*file.global_definitions(),
          [this, &file](const RecordBatch& batch) { add(file.definitions(), batch); });
}

void FileTable::add(const DefinitionIndex& index, const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) {
        if (static_cast<DefinitionType>(head.type) != DefinitionType::IoHandle) continue;
        const auto v = batch.values(head);
        if (index.is_mpi_file(v[0])) handles_[v[0]] = {v[2], v[5]};
    }
}

const FileHandleDefinition* FileTable::find(u64 handle) const {
    const auto found = handles_.find(handle);
    return found == handles_.end() ? nullptr : &found->second;
}

namespace {

/// The record that names the handle of a call; null if there is none.
const Action* handle_record(const MpiCall& call) {
    for (const Action& action : call.actions) {
        switch (action.type) {
            case EventType::IoCreateHandle:
            case EventType::IoDestroyHandle:
            case EventType::IoSeek:
            case EventType::IoOperationBegin:
            case EventType::IoOperationComplete:
                return &action;
            default:
                break;
        }
    }
    return nullptr;
}

}  // namespace

u64 RecentFiles::handle_of(const MpiCall& call) const {
    const Action* const record = handle_record(call);
    if (record != nullptr) return record->fields[0];
    return is_bare_file_call(call.function) ? last() : u64{kNone};
}

void RecentFiles::note(const MpiCall& call) {
    const Action* const record = handle_record(call);
    if (record == nullptr) return;
    record->type == EventType::IoDestroyHandle ? close(record->fields[0]) : use(record->fields[0]);
}

void RecentFiles::use(u64 handle) {
    if (last() == handle) return;
    close(handle);
    open_.push_back(handle);
}

namespace {

using Role = FileCallsInCommon::Role;

/// Added with the process to the key of a file that each process opens alone.
constexpr u64 kOwnFile = u64{1} << 32U;

bool has(MpiFunction function, std::string_view part) {
    return name_of(function).find(part) != std::string_view::npos;
}

Role role_of(MpiFunction function) {
    if (function == MpiFunction::File_open) return Role::opens;
    return function == MpiFunction::File_close ? Role::closes : Role::other;
}

std::vector<CallPlace> places_of(const CollectiveInstances::Instance& instance) {
    std::vector<CallPlace> places;
    for (const CollectiveInstances::Arrival& arrival : instance.present)
        places.push_back(arrival.place);
    return places;
}

}  // namespace

void FileCallsInCommon::add(u32 walker, const MpiCall& call) {
    RecentFiles& recent = recent_[walker];
    const u64 handle = recent.handle_of(call);
    recent.note(call);
    if (handle == kNone || !is_file_collective(call.function)) return;
    const CommunicatorView* view = members_(walker, handle);
    if (view == nullptr) return;
    const u64 key = view->self_like ? handle + kOwnFile * (u64{walker} + 1) : handle;
    const std::size_t count = view->self_like ? 1 : view->members.size();
    const u32 context = instances_.find(key, [count] { return std::vector<u32>(count); });
    CollectivePart part;
    part.root = static_cast<u32>(call.function);
    const u64 number =
        instances_.arrive(context, {walker, {walker, call.index, 0}, part.root, 0, 0}, part);
    if (!instances_.is_full(context, number)) return;
    hand_over(context, call.function, instances_.instance(context, number));
    instances_.end(context, number);
}

void FileCallsInCommon::hand_over(u32 context, MpiFunction function,
                                  const CollectiveInstances::Instance& instance) {
    Places places = places_of(instance);
    bool& out_of_step = out_of_step_[context];
    out_of_step = out_of_step || !instance.alike;
    if (out_of_step) return take_(Role::alone, std::move(places));
    if (has(function, "_begin")) {
        begun_[context] = std::move(places);
        return;
    }
    if (has(function, "_end")) {
        const auto begun = begun_.extract(context);
        if (!begun.empty()) {
            places.insert(places.end(), begun.mapped().begin(), begun.mapped().end());
        }
    }
    take_(role_of(function), std::move(places));
}

void FileCallsInCommon::finish() {
    for (auto& [context, places] : begun_) take_(Role::alone, std::move(places));
    for (CollectiveInstances::Context& context : instances_.all()) {
        for (const CollectiveInstances::Instance& instance : context.open) {
            if (!instance.over) take_(Role::alone, places_of(instance));
        }
    }
}

}  // namespace tracefold
