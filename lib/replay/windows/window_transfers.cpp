// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/windows/window_transfers.hpp"

#include "base/error.hpp"
#include "base/mpi.hpp"
#include "mpi/mpi_call.hpp"
#include "replay/collectives/collectives.hpp"
#include "replay/proof/watched.hpp"

#include <algorithm>
#include <new>
#include <string>

namespace tracefold {

namespace {

/// Limit of windows: larger numbers in the file are wrong.
constexpr u64 kMostWindows = u64{1} << 24U;

}  // namespace

Window& WindowTable::entry(u64 window) {
    const u32 comm = definitions_.window_communicator(window);
    if (comm == kNone || window >= kMostWindows) {
        throw Error(ErrorKind::corrupt, "window " + std::to_string(window) + " is not defined");
    }
    Window& entry = windows_[window];
    entry.comm = comm;
    return entry;
}

void WindowTable::expect(u64 window, MpiFunction made_by) { entry(window).made_by = made_by; }

void WindowTable::expect_transfer(u64 window, u64 bytes) {
    Window& wanted = entry(window);
    wanted.extent = std::max(wanted.extent, bytes);
}

u64 WindowTable::agree_on_count(MPI_Comm world) const {
    u64 count = windows_.empty() ? 0 : windows_.rbegin()->first + 1;
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, &count, 1, MPI_UINT64_T, MPI_MAX, world),
              "MPI_Allreduce");
    return count;
}

/// By window: the extent, and whether it is dynamic on any process.
void WindowTable::agree(MPI_Comm world) {
    std::vector<u64> facts(2 * agree_on_count(world), 0);
    for (const auto& [id, window] : windows_) {
        facts[2 * id] = window.extent;
        facts[2 * id + 1] = window.is_dynamic() ? 1 : 0;
    }
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, facts.data(), static_cast<int>(facts.size()),
                             MPI_UINT64_T, MPI_MAX, world),
              "MPI_Allreduce");
    Window stranger;
    u64 lacking = 0;
    for (u64 id = 0; 2 * id < facts.size(); ++id) {
        const auto found = windows_.find(id);
        Window& window = found == windows_.end() ? stranger : found->second;
        window.extent = facts[2 * id];
        if (found != windows_.end() && !allocate(window)) lacking = window.extent;
        if (facts[2 * id + 1] != 0) share_addresses(window, world);
    }
    // Fails only after all collective steps.
    if (lacking != 0) {
        throw Error(ErrorKind::io, "no memory for a window of " + std::to_string(lacking) +
                                       " bytes; make it smaller with --bytes-scale");
    }
}

bool WindowTable::allocate(Window& window) {
    const bool own = window.made_by == MpiFunction::Win_create || window.is_dynamic();
    if (!own) return true;
    window.memory.reset(new (std::nothrow) std::byte[window.extent]());
    return window.memory != nullptr;
}

void WindowTable::share_addresses(Window& window, MPI_Comm world) const {
    MPI_Aint own = 0;
    if (window.memory != nullptr) {
        check_mpi(PMPI_Get_address(window.memory.get(), &own), "MPI_Get_address");
    }
    std::vector<MPI_Aint> all(communicators_.table().world_size());
    check_mpi(PMPI_Allgather(&own, 1, MPI_AINT, all.data(), 1, MPI_AINT, world), "MPI_Allgather");
    const CommunicatorView* view = communicators_.table().find(window.comm);
    window.addresses.clear();
    if (view == nullptr) return;
    for (const u64 rank : view->members) window.addresses.push_back(all[rank]);
}

Window& WindowTable::create(u64 window) {
    const auto found = windows_.find(window);
    if (found == windows_.end() || found->second.handle != MPI_WIN_NULL) {
        throw Error(ErrorKind::corrupt,
                    "window " + std::to_string(window) + " is created while it exists");
    }
    Window& entry = found->second;
    entry.pending = PendingTransfers(communicators_.local_size(entry.comm));
    entry.locks = 0;
    entry.attached.clear();
    make_handle(entry);
    check_mpi(PMPI_Win_set_errhandler(entry.handle, MPI_ERRORS_RETURN), "MPI_Win_set_errhandler");
    return entry;
}

void WindowTable::make_handle(Window& window) const {
    const MPI_Comm comm = communicators_.handle(window.comm);
    const auto size = static_cast<MPI_Aint>(window.extent);
    void* base = nullptr;
    switch (window.made_by) {
        case MpiFunction::Win_create:
            check_mpi(watched::Win_create(window.memory.get(), size, 1, MPI_INFO_NULL, comm,
                                          &window.handle),
                      "MPI_Win_create");
            break;
        case MpiFunction::Win_create_dynamic:
            check_mpi(watched::Win_create_dynamic(MPI_INFO_NULL, comm, &window.handle),
                      "MPI_Win_create_dynamic");
            if (size == 0) break;
            check_mpi(PMPI_Win_attach(window.handle, window.memory.get(), size), "MPI_Win_attach");
            break;
        case MpiFunction::Win_allocate_shared:
            check_mpi(watched::Win_allocate_shared(size, 1, MPI_INFO_NULL, comm,
                                                   static_cast<void*>(&base), &window.handle),
                      "MPI_Win_allocate_shared");
            break;
        default:
            check_mpi(watched::Win_allocate(size, 1, MPI_INFO_NULL, comm, static_cast<void*>(&base),
                                            &window.handle),
                      "MPI_Win_allocate");
            break;
    }
}

Window& WindowTable::live(u64 window) {
    if (!is_live(window)) [[unlikely]] {
        throw Error(ErrorKind::corrupt,
                    "window " + std::to_string(window) + " is used while it does not exist");
    }
    return windows_.at(window);
}

void WindowTable::free(u64 window) {
    check_mpi(watched::Win_free(&live(window).handle), "MPI_Win_free");
}

void WindowTable::reset() {
    for_each_live(
        [](Window& window) { check_mpi(watched::Win_free(&window.handle), "MPI_Win_free"); });
}

namespace {

/// Common arguments of all calls.
struct Call {
    void* origin;
    void* result;
    Amount amount;
    int target;
    MPI_Aint place;
    MPI_Win window;
};

struct Accumulation {
    int count = 0;
    MPI_Datatype type = MPI_BYTE;
    MPI_Op op = MPI_BXOR;
};

Accumulation accumulation_of(const Amount& amount) {
    constexpr u64 kWord = sizeof(i64);
    if (amount.type != MPI_BYTE || amount.bytes % kWord != 0) {
        return {amount.count, amount.type, MPI_BXOR};
    }
    return {static_cast<int>(amount.bytes / kWord), MPI_INT64_T, MPI_SUM};
}

/// A type with one element of this size, or MPI_DATATYPE_NULL.
MPI_Datatype integer_of(u64 bytes) {
    switch (bytes) {
        case 1:
            return MPI_INT8_T;
        case 2:
            return MPI_INT16_T;
        case 4:
            return MPI_INT32_T;
        case 8:
            return MPI_INT64_T;
        default:
            return MPI_DATATYPE_NULL;
    }
}

void get_accumulate(const Call& call, u64 sent, MPI_Request* request) {
    const Accumulation by = accumulation_of(call.amount);
    const MPI_Op op = sent == 0 ? MPI_NO_OP : by.op;
    TRACEFOLD_ISSUE(Get_accumulate, Rget_accumulate, call.origin, by.count, by.type, call.result,
                    by.count, by.type, call.target, call.place, by.count, by.type, op, call.window);
}

void accumulate(const Call& call, MPI_Request* request) {
    const Accumulation by = accumulation_of(call.amount);
    TRACEFOLD_ISSUE(Accumulate, Raccumulate, call.origin, by.count, by.type, call.target,
                    call.place, by.count, by.type, by.op, call.window);
}

/// 16-byte types exist only as complex numbers.
void fetch_and_op(const Call& call, u64 bytes, u64 sent) {
    const MPI_Datatype type = bytes == 16 ? MPI_C_DOUBLE_COMPLEX : integer_of(bytes);
    if (type == MPI_DATATYPE_NULL) {
        get_accumulate(call, sent, nullptr);
        return;
    }
    check_mpi(watched::Fetch_and_op(call.origin, call.result, type, call.target, call.place,
                                    sent == 0 ? MPI_NO_OP : MPI_SUM, call.window),
              "MPI_Fetch_and_op");
}

void compare_and_swap(const Call& call, u64 bytes) {
    const MPI_Datatype type = integer_of(bytes);
    if (type == MPI_DATATYPE_NULL) {
        throw Error(ErrorKind::unsupported, "MPI_Compare_and_swap of " + std::to_string(bytes) +
                                                " bytes does not exist in C");
    }
    check_mpi(watched::Compare_and_swap(call.origin, call.origin, call.result, type, call.target,
                                        call.place, call.window),
              "MPI_Compare_and_swap");
}

void put(const Call& call, MPI_Request* request) {
    const auto& [count, type, bytes] = call.amount;
    TRACEFOLD_ISSUE(Put, Rput, call.origin, count, type, call.target, call.place, count, type,
                    call.window);
}

void get(const Call& call, MPI_Request* request) {
    const auto& [count, type, bytes] = call.amount;
    TRACEFOLD_ISSUE(Get, Rget, call.result, count, type, call.target, call.place, count, type,
                    call.window);
}

/// Single elements keep their size.
bool is_single(MpiFunction function) {
    return function == MpiFunction::Fetch_and_op || function == MpiFunction::Compare_and_swap;
}

bool has_request(MpiFunction function) {
    return function == MpiFunction::Rput || function == MpiFunction::Rget ||
           function == MpiFunction::Raccumulate || function == MpiFunction::Rget_accumulate;
}

void issue(MpiFunction function, const WindowTransfer& transfer, const Call& call,
           MPI_Request* request) {
    switch (function) {
        case MpiFunction::Put:
        case MpiFunction::Rput:
            return put(call, request);
        case MpiFunction::Get:
        case MpiFunction::Rget:
            return get(call, request);
        case MpiFunction::Accumulate:
        case MpiFunction::Raccumulate:
            return accumulate(call, request);
        case MpiFunction::Fetch_and_op:
            return fetch_and_op(call, transfer.bytes(), transfer.sent);
        case MpiFunction::Compare_and_swap:
            return compare_and_swap(call, transfer.bytes());
        default:
            return get_accumulate(call, transfer.sent, request);
    }
}

}  // namespace

void issue_transfer(MpiFunction function, const WindowTransfer& transfer, const Window& window,
                    Payload& payload) {
    const u64 bytes = transfer.bytes();
    const Amount amount = is_single(function) ? Amount{static_cast<int>(bytes), MPI_BYTE, bytes}
                                              : payload.amounts.of(bytes);
    const Call call = {payload.buffers.outgoing(amount.bytes),
                       payload.buffers.incoming(amount.bytes),
                       amount,
                       static_cast<int>(transfer.target),
                       window.displacement(transfer.target),
                       window.handle};
    if (!has_request(function)) {
        issue(function, transfer, call, nullptr);
        return;
    }
    MPI_Request request = MPI_REQUEST_NULL;
    issue(function, transfer, call, &request);
    payload.requests.put(transfer.id, request);
}

}  // namespace tracefold
