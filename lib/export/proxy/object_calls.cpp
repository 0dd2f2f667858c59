// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// One-sided communication and MPI-IO, with the inferences of a replay (docs/reference/replay.md).

#include "export/proxy/call_translator.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 kExclusive = 0;  ///< OTF2_LOCK_EXCLUSIVE
constexpr u64 kMostPreallocated = u64{1} << 20U;

/// True for calls that reach no other process, so that no program notices their absence.
bool is_noticed_by_nobody(MpiFunction function) {
    return function == MpiFunction::Win_attach || function == MpiFunction::Win_detach ||
           function == MpiFunction::Win_test || function == MpiFunction::Win_sync ||
           function == MpiFunction::Win_shared_query;
}

bool is_atomic(MpiFunction function) {
    return function == MpiFunction::Accumulate || function == MpiFunction::Raccumulate ||
           function == MpiFunction::Get_accumulate || function == MpiFunction::Rget_accumulate ||
           function == MpiFunction::Fetch_and_op || function == MpiFunction::Compare_and_swap;
}

/// Single elements have the size of an integer, or of a complex number.
bool has_type(MpiFunction function, u64 bytes) {
    const bool swaps = function == MpiFunction::Compare_and_swap;
    if (!swaps && function != MpiFunction::Fetch_and_op) return true;
    return bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || (bytes == 16 && !swaps);
}

}  // namespace

u32 FreeNumbers::take() {
    const auto free = std::find(taken_.begin(), taken_.end(), false);
    const auto number = static_cast<u32>(free - taken_.begin());
    if (free == taken_.end()) {
        taken_.push_back(true);
    } else {
        *free = true;
    }
    return number;
}

void CallTranslator::emit_object(const MpiCall& call, const Action* moved) {
    for (const Action& action : call.actions) ++records_[action.type];
    note(call, {moved});
    emit(call.function);
}

void CallTranslator::add_target(const LiveWindow& window, u64 target) {
    const auto size = static_cast<u32>(window.view->members.size());
    numbers_ = {window.number, target};
    views_ = {{window.view->rank_of(communicators_.table().world_rank()), size, true}};
}

CallTranslator::LiveWindow* CallTranslator::window_of(const MpiCall& call) {
    const std::optional<u64> id = recorded_window(call);
    if (id) {
        const auto found = windows_.find(*id);
        return found == windows_.end() ? nullptr : &found->second;
    }
    const auto fits = [&call](const LiveWindow& window) {
        return call.function == MpiFunction::Win_shared_query
                   ? window.made_by == MpiFunction::Win_allocate_shared
                   : window.locks != 0;
    };
    if (recent_window_ != nullptr && fits(*recent_window_)) return recent_window_;
    LiveWindow* found = nullptr;
    for (auto& [id_of, window] : windows_) {
        if (fits(window)) found = &window;
    }
    return found;
}

void CallTranslator::make_window(const MpiCall& call, u64 id) {
    const CommunicatorTable& table = communicators_.table();
    const u64 comm = table.communicator_of_window(id);
    const auto number = communicators_.find(comm);
    if (!number || !makes_window(call.function) || windows_.contains(id)) return leave_out(call);
    LiveWindow window{window_numbers_.take(), &communicators_.view(comm), call.function};
    window.pending = PendingTransfers(window.view->members.size());
    recent_window_ = &windows_.emplace(id, std::move(window)).first->second;
    numbers_ = {recent_window_->number, *number, objects_.extent(id)};
    emit_object(call, nullptr);
}

void CallTranslator::window_call(const MpiCall& call) {
    if (const Action* made = find_record(call, EventType::RmaWinCreate)) {
        return make_window(call, made->fields[0]);
    }
    const MpiFunction function = call.function;
    LiveWindow* const window = window_of(call);
    const Action* const sync = find_record(call, EventType::RmaGroupSync);
    const bool failed =
        function == MpiFunction::Win_test && sync != nullptr && sync->fields[0] == 0;
    const bool attaches =
        function == MpiFunction::Win_attach || function == MpiFunction::Win_detach;
    if (failed || attaches || window == nullptr) {
        const bool is_local = is_noticed_by_nobody(function) && !recorded_window(call);
        if (!failed && !is_local) return leave_out(call);
        ++local_[std::string(name_of(function))];
        return;
    }
    numbers_ = {window->number};
    switch (function) {
        case MpiFunction::Win_free: {
            const Action* const freed = find_record(call, EventType::RmaWinDestroy);
            if (freed == nullptr) return leave_out(call);
            if (recent_window_ == window) recent_window_ = nullptr;
            window_numbers_.free(window->number);
            windows_.erase(freed->fields[0]);
            return emit_object(call, nullptr);
        }
        case MpiFunction::Win_fence:
            if (find_record(call, EventType::RmaCollectiveEnd) == nullptr) return leave_out(call);
            return emit_object(call, nullptr);
        case MpiFunction::Win_lock:
        case MpiFunction::Win_lock_all:
        case MpiFunction::Win_unlock:
        case MpiFunction::Win_unlock_all:
            return lock_call(call, *window);
        case MpiFunction::Win_flush:
        case MpiFunction::Win_flush_local: {
            u32 target = window->pending.last_target();
            for (const Action& action : call.actions) {
                const std::optional<u32> known = window->pending.target_of(action.fields[1]);
                if (!known) continue;
                target = *known;
                break;
            }
            add_target(*window, target);
            return emit_object(call, nullptr);
        }
        case MpiFunction::Win_flush_all:
        case MpiFunction::Win_flush_local_all:
        case MpiFunction::Win_sync:
        case MpiFunction::Win_shared_query:
            return emit_object(call, nullptr);
        case MpiFunction::Win_post:
        case MpiFunction::Win_start:
        case MpiFunction::Win_complete:
        case MpiFunction::Win_wait:
        case MpiFunction::Win_test: {
            if (sync == nullptr) return leave_out(call);
            const bool has_group =
                function == MpiFunction::Win_post || function == MpiFunction::Win_start;
            const auto ranks = communicators_.table().ranks_of_group(sync->fields[2]);
            if (has_group) add_list({ranks.begin(), ranks.end()});
            return emit_object(call, nullptr);
        }
        default:
            return access(call, *window);
    }
}

void CallTranslator::lock_call(const MpiCall& call, LiveWindow& window) {
    const bool locks =
        call.function == MpiFunction::Win_lock || call.function == MpiFunction::Win_lock_all;
    const Action* const record =
        find_record(call, locks ? EventType::RmaRequestLock : EventType::RmaReleaseLock);
    if (record == nullptr) return leave_out(call);
    const bool has_target =
        call.function == MpiFunction::Win_lock || call.function == MpiFunction::Win_unlock;
    if (has_target) add_target(window, record->fields[1]);
    if (locks) {
        ++window.locks;
        recent_window_ = &window;
        if (has_target) numbers_.push_back(record->fields[3] == kExclusive ? 1 : 0);
    } else if (window.locks != 0) {
        --window.locks;
    }
    emit_object(call, nullptr);
}

void CallTranslator::access(const MpiCall& call, LiveWindow& window) {
    const std::optional<WindowTransfer> transfer = read_transfer(call);
    if (!transfer || transfer->target >= window.pending.targets() ||
        !has_type(call.function, transfer->bytes())) {
        return leave_out(call);
    }
    window.pending.note(transfer->received > transfer->sent, transfer->target, transfer->id);
    recent_window_ = &window;
    add_target(window, transfer->target);
    const Action* const record = &*std::ranges::find_if(call.actions, [](const Action& action) {
        return action.kind == Action::Kind::record &&
               (action.type == EventType::RmaPut || action.type == EventType::RmaGet ||
                action.type == EventType::RmaAtomic);
    });
    if (is_atomic(call.function)) {
        numbers_.insert(numbers_.end(), {transfer->sent, transfer->received, record->fields[2]});
    } else {
        numbers_.push_back(transfer->bytes());
    }
    const bool posts = name_of(call.function).starts_with("MPI_R");
    emit_object(call, record);
    if (posts) outstanding_.push_back(transfer->id);
}

CallTranslator::LiveFile* CallTranslator::use_file(u64 handle) {
    const auto found = files_.find(handle);
    if (found == files_.end()) return nullptr;
    recent_files_.use(handle);
    return &found->second;
}

void CallTranslator::file_call(const MpiCall& call) {
    const MpiFunction function = call.function;
    if (function == MpiFunction::File_open) return open_file(call);
    if (function == MpiFunction::File_delete) {
        const Action* const gone = find_record(call, EventType::IoDeleteFile);
        if (gone == nullptr || objects_.file_count() == 0) return leave_out(call);
        numbers_ = {objects_.number_of(gone->fields[1])};
        return emit_object(call, nullptr);
    }
    if (is_bare_file_call(function)) return bare_file_call(call);
    const std::optional<FileTransfer> transfer = read_file_transfer(call);
    const Action* const begun = find_record(call, EventType::IoOperationBegin);
    const Action* record = begun;
    for (const EventType type :
         {EventType::IoDestroyHandle, EventType::IoSeek, EventType::IoOperationComplete}) {
        if (record == nullptr) record = find_record(call, type);
    }
    LiveFile* const file = record == nullptr ? nullptr : use_file(record->fields[0]);
    if (file == nullptr) return leave_out(call);
    numbers_ = {file->number};
    if (transfer) {
        if (position_of(function) == FilePosition::given) {
            numbers_.push_back(static_cast<u64>(file->layout.place(transfer->offset)));
        }
        numbers_.push_back(transfer->bytes);
        emit_object(call, begun);
        if (name_of(function).starts_with("MPI_File_i")) outstanding_.push_back(transfer->request);
        return;
    }
    if (function == MpiFunction::File_seek || function == MpiFunction::File_seek_shared) {
        numbers_.push_back(static_cast<u64>(file->layout.place(record->fields[3])));
    } else if (function == MpiFunction::File_close) {
        file_numbers_.free(file->number);
        files_.erase(record->fields[0]);
        recent_files_.close(record->fields[0]);
    } else if (!ends_split(function)) {
        return leave_out(call);
    }
    emit_object(call, nullptr);
}

void CallTranslator::open_file(const MpiCall& call) {
    // OTF2_IoAccessMode: reading, writing, both; OTF2_IoCreationFlag: creates.
    const Action* const made = find_record(call, EventType::IoCreateHandle);
    if (made == nullptr) {  // it failed
        ++local_[std::string(name_of(call.function))];
        return;
    }
    const FileUse* const known =
        objects_.find(communicators_.table().world_rank(), made->fields[0]);
    const auto comm = known == nullptr ? std::nullopt : communicators_.find(known->comm);
    if (!comm || files_.contains(made->fields[0])) return leave_out(call);
    LiveFile file{file_numbers_.take(), known, known->layout};
    file.layout.rewind();
    files_.emplace(made->fields[0], file);
    recent_files_.use(made->fields[0]);
    const u64 mode = std::min<u64>(made->fields[1], 2);
    const u64 creates = mode != 0 && (made->fields[2] & 1U) != 0 ? 4 : 0;
    numbers_ = {file.number, *comm, objects_.number_of(known->file), mode | creates, known->size};
    emit_object(call, nullptr);
}

/// Calls without a record belong to the file that was used last.
void CallTranslator::bare_file_call(const MpiCall& call) {
    const auto recent = files_.find(recent_files_.last());
    if (recent == files_.end() || !recent->second.known->bare) return leave_out(call);
    LiveFile& file = recent->second;
    const FileUse& known = *file.known;
    ++inferred_[std::string(name_of(call.function))];
    numbers_ = {file.number};
    if (call.function == MpiFunction::File_set_view) {
        file.layout.begin_view();
        numbers_.push_back(static_cast<u64>(file.layout.part(known.rank)));
    } else if (call.function == MpiFunction::File_set_size) {
        numbers_.push_back(known.size);
    } else if (call.function == MpiFunction::File_preallocate) {
        numbers_.push_back(std::min(known.size, kMostPreallocated));
    }
    emit_object(call, nullptr);
}

}  // namespace tracefold
