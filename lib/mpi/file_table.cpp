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

/// The file handle of a call; kNone if it has none.
u64 FileCallsInCommon::file_of(u32 walker, const MpiCall& call) {
    const auto [recent, is_new] = recent_.try_emplace(walker, kNone);
    for (const Action& action : call.actions) {
        switch (action.type) {
            case EventType::IoCreateHandle:
            case EventType::IoDestroyHandle:
            case EventType::IoSeek:
            case EventType::IoOperationBegin:
            case EventType::IoOperationComplete: {
                const bool closes = action.type == EventType::IoDestroyHandle;
                recent->second = closes ? kNone : action.fields[0];
                return action.fields[0];
            }
            default:
                break;
        }
    }
    return recent->second;
}

void FileCallsInCommon::add(u32 walker, const MpiCall& call) {
    const u64 handle = file_of(walker, call);
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
