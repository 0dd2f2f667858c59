// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/windows/windows.hpp"

#include "base/error.hpp"
#include "base/mpi.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/proof/watched.hpp"

#include <string>

namespace tracefold {

namespace {

/// OTF2_LOCK_EXCLUSIVE
constexpr u64 kExclusive = 0;

}  // namespace

void Windows::prepare(const MpiCall& call, const Amounts& amounts, Buffers& buffers) {
    for (const Action& action : call.actions) {
        if (action.kind != Action::Kind::record) continue;
        if (action.type == EventType::RmaWinCreate && makes_window(call.function)) {
            table_.expect(action.fields[0], call.function);
        } else if (action.type == EventType::RmaGroupSync) {
            (void)group(action.fields[2]);
        }
    }
    const std::optional<WindowTransfer> transfer = read_transfer(call);
    if (!transfer) return;
    const u64 bytes = std::max(transfer->bytes(), amounts.scaled(transfer->bytes()));
    table_.expect_transfer(transfer->window, bytes);
    buffers.expect_outgoing(bytes);
    buffers.expect_incoming(bytes);
}

void Windows::execute(const MpiCall& call, Payload payload) {
    if (uses_no_window(call, [this](u64 window) { return table_.is_live(window); }))
        return leave_out();
    if (is_window_collective(call.function)) return collective(call);
    switch (call.function) {
        case MpiFunction::Win_lock:
        case MpiFunction::Win_lock_all:
            return lock(call);
        case MpiFunction::Win_unlock:
        case MpiFunction::Win_unlock_all:
            return unlock(call);
        case MpiFunction::Win_flush:
        case MpiFunction::Win_flush_all:
        case MpiFunction::Win_flush_local:
        case MpiFunction::Win_flush_local_all:
            return flush(call);
        case MpiFunction::Win_post:
        case MpiFunction::Win_start:
        case MpiFunction::Win_complete:
        case MpiFunction::Win_wait:
        case MpiFunction::Win_test:
            return group_sync(call);
        case MpiFunction::Win_sync:
        case MpiFunction::Win_attach:
        case MpiFunction::Win_detach:
        case MpiFunction::Win_shared_query:
            return bare(call);
        default:
            return transfer(call, payload);
    }
}

void Windows::transfer(const MpiCall& call, Payload& payload) {
    const std::optional<WindowTransfer> transfer = read_transfer(call);
    if (!transfer) return leave_out();
    Window& window = table_.live(transfer->window);
    if (transfer->target >= window.pending.targets()) {
        throw Error(ErrorKind::corrupt,
                    std::string(name_of(call.function)) + " has a target outside its window");
    }
    {
        const std::lock_guard guard(mutex_);
        window.pending.note(transfer->received > transfer->sent, transfer->target, transfer->id);
        recent_ = &window;
    }
    issue_transfer(call.function, *transfer, window, payload);
}

void Windows::collective(const MpiCall& call) {
    if (const Action* made = find_record(call, EventType::RmaWinCreate)) {
        Window& window = table_.create(made->fields[0]);
        const std::lock_guard guard(mutex_);
        recent_ = &window;
    } else if (const Action* freed = find_record(call, EventType::RmaWinDestroy)) {
        forget(table_.live(freed->fields[0]));
        table_.free(freed->fields[0]);
    } else if (const Action* end = find_record(call, EventType::RmaCollectiveEnd)) {
        check_mpi(watched::Win_fence(0, table_.live(end->fields[2]).handle), "MPI_Win_fence");
    } else {
        leave_out();
    }
}

void Windows::forget(const Window& window) {
    const std::lock_guard guard(mutex_);
    if (recent_ == &window) recent_ = nullptr;
}

void Windows::lock(const MpiCall& call) {
    const Action* record = find_record(call, EventType::RmaRequestLock);
    if (record == nullptr) return leave_out();
    const Lock lock = lock_of(call, *record);
    {
        const std::lock_guard guard(mutex_);
        locks_.push_back(lock);
    }
    take(lock);
}

Windows::Lock Windows::lock_of(const MpiCall& call, const Action& record) {
    const bool all =
        call.function == MpiFunction::Win_lock_all || call.function == MpiFunction::Win_unlock_all;
    if (all) return {record.fields[0]};
    const bool exclusive =
        record.type == EventType::RmaRequestLock && record.fields[3] == kExclusive;
    return {record.fields[0], static_cast<int>(record.fields[1]),
            exclusive ? MPI_LOCK_EXCLUSIVE : MPI_LOCK_SHARED};
}

void Windows::take(const Lock& lock) {
    Window& window = table_.live(lock.window);
    {
        const std::lock_guard guard(mutex_);
        ++window.locks;
        recent_ = &window;
    }
    if (lock.target == kAllTargets) {
        check_mpi(watched::Win_lock_all(0, window.handle), "MPI_Win_lock_all");
    } else {
        check_mpi(watched::Win_lock(lock.type, lock.target, 0, window.handle), "MPI_Win_lock");
    }
}

void Windows::unlock(const MpiCall& call) {
    const Action* record = find_record(call, EventType::RmaReleaseLock);
    if (record == nullptr) return leave_out();
    release(lock_of(call, *record));
}

void Windows::release(const Lock& lock) {
    Window& window = table_.live(lock.window);
    {
        const std::lock_guard guard(mutex_);
        if (window.locks != 0) --window.locks;
        drop(lock);
    }
    if (lock.target == kAllTargets) {
        check_mpi(watched::Win_unlock_all(window.handle), "MPI_Win_unlock_all");
    } else {
        check_mpi(watched::Win_unlock(lock.target, window.handle), "MPI_Win_unlock");
    }
}

void Windows::drop(const Lock& lock) {
    std::erase_if(locks_, [&lock](const Lock& held) {
        return held.window == lock.window && held.target == lock.target;
    });
}

bool Windows::set_up(const MpiCall& call) {
    if (is_window_collective(call.function)) return true;
    switch (call.function) {
        case MpiFunction::Win_lock:
        case MpiFunction::Win_lock_all:
            if (const Action* record = find_record(call, EventType::RmaRequestLock)) {
                locks_.push_back(lock_of(call, *record));
            }
            return false;
        case MpiFunction::Win_unlock:
        case MpiFunction::Win_unlock_all:
            if (const Action* record = find_record(call, EventType::RmaReleaseLock)) {
                drop(lock_of(call, *record));
            }
            return false;
        default:
            return false;
    }
}

void Windows::lock_open() {
    for (const Lock& lock : locks_) take(lock);
}

/// A flush records the completed operations, and nothing if none was pending.
void Windows::flush(const MpiCall& call) {
    const Action* record = find_record(call, EventType::RmaOpCompleteNonBlocking);
    if (record == nullptr) record = find_record(call, EventType::RmaOpCompleteRemote);
    Window* window = record != nullptr ? &table_.live(record->fields[0]) : guess(call.function);
    if (window == nullptr) return leave_out();
    switch (call.function) {
        case MpiFunction::Win_flush:
            return check_mpi(watched::Win_flush(flushed_target(*window, call), window->handle),
                             "MPI_Win_flush");
        case MpiFunction::Win_flush_local:
            return check_mpi(
                watched::Win_flush_local(flushed_target(*window, call), window->handle),
                "MPI_Win_flush_local");
        case MpiFunction::Win_flush_all:
            return check_mpi(watched::Win_flush_all(window->handle), "MPI_Win_flush_all");
        default:
            return check_mpi(watched::Win_flush_local_all(window->handle),
                             "MPI_Win_flush_local_all");
    }
}

int Windows::flushed_target(const Window& window, const MpiCall& call) {
    const std::lock_guard guard(mutex_);
    for (const Action& action : call.actions) {
        const std::optional<u32> target = window.pending.target_of(action.fields[1]);
        if (target) return static_cast<int>(*target);
    }
    return static_cast<int>(window.pending.last_target());
}

MPI_Group Windows::group(u64 id) {
    const std::lock_guard guard(mutex_);
    const auto [place, is_new] = groups_.try_emplace(id);
    if (is_new) {
        place->second = Group::of_world_ranks(communicators_.table().ranks_of_group(id));
    }
    return place->second.handle();
}

void Windows::group_sync(const MpiCall& call) {
    const Action* record = find_record(call, EventType::RmaGroupSync);
    if (record == nullptr) return leave_out();
    Window& window = table_.live(record->fields[1]);
    switch (call.function) {
        case MpiFunction::Win_post:
            return check_mpi(watched::Win_post(group(record->fields[2]), 0, window.handle),
                             "MPI_Win_post");
        case MpiFunction::Win_start:
            return check_mpi(watched::Win_start(group(record->fields[2]), 0, window.handle),
                             "MPI_Win_start");
        case MpiFunction::Win_complete:
            return check_mpi(watched::Win_complete(window.handle), "MPI_Win_complete");
        case MpiFunction::Win_wait:
            return check_mpi(watched::Win_wait(window.handle), "MPI_Win_wait");
        default:
            return test(window, record->fields[0] != 0);
    }
}

/// A failed test could succeed now, and end the exposure too early.
void Windows::test(Window& window, bool succeeded) {
    if (!succeeded) {
        inferences_.count(Inference::window_test_left_out);
        return;
    }
    int done = 0;
    check_mpi(watched::Win_test(window.handle, &done), "MPI_Win_test");
    if (done == 0) check_mpi(watched::Win_wait(window.handle), "MPI_Win_wait");
}

/// Calls without a record. All are local, so guesses need not agree.
void Windows::bare(const MpiCall& call) {
    const MpiFunction function = call.function;
    if (function == MpiFunction::Win_attach || function == MpiFunction::Win_detach) {
        inferences_.count(Inference::attached_memory);
        return attach(function);
    }
    Window* window = guess(function);
    if (window == nullptr) return leave_out();
    if (function == MpiFunction::Win_sync) {
        check_mpi(watched::Win_sync(window->handle), "MPI_Win_sync");
        return;
    }
    MPI_Aint size = 0;
    int unit = 0;
    void* base = nullptr;
    check_mpi(watched::Win_shared_query(window->handle, MPI_PROC_NULL, &size, &unit,
                                        static_cast<void*>(&base)),
              "MPI_Win_shared_query");
}

/// The transfers go to the memory that was attached when the window was made: these calls get a
/// byte each.
void Windows::attach(MpiFunction function) {
    const std::lock_guard guard(mutex_);
    Window* window = nullptr;
    table_.for_each_live([&](Window& live) {
        const bool fits = function == MpiFunction::Win_attach || !live.attached.empty();
        if (live.is_dynamic() && fits) window = &live;
    });
    if (window == nullptr) return leave_out();
    auto& attached = window->attached;
    if (function == MpiFunction::Win_attach) {
        attached.push_back(std::make_unique<std::byte>());
        check_mpi(watched::Win_attach(window->handle, attached.back().get(), 1), "MPI_Win_attach");
    } else {
        check_mpi(watched::Win_detach(window->handle, attached.back().get()), "MPI_Win_detach");
        attached.pop_back();
    }
}

/// The window used last, if such a call fits it, otherwise the last one that fits.
Window* Windows::guess(MpiFunction function) {
    const auto fits = [function](const Window& window) {
        return function == MpiFunction::Win_shared_query
                   ? window.made_by == MpiFunction::Win_allocate_shared
                   : window.locks != 0;
    };
    const std::lock_guard guard(mutex_);
    Window* found = nullptr;
    if (recent_ != nullptr && fits(*recent_)) {
        found = recent_;
    } else {
        table_.for_each_live([&](Window& window) {
            if (fits(window)) found = &window;
        });
    }
    if (found != nullptr) inferences_.count(Inference::window_guessed);
    return found;
}

bool Windows::has_any() {
    bool any = false;
    const std::lock_guard guard(mutex_);
    table_.for_each_live([&any](const Window& /*live*/) { any = true; });
    return any;
}

void Windows::reset() {
    while (!locks_.empty()) release(Lock(locks_.back()));
    recent_ = nullptr;
    table_.reset();
}

}  // namespace tracefold
