// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/windows/window_transfers.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"
#include "replay/mpi_call.hpp"
#include "replay_mpi/collectives/issue.hpp"
#include "replay_mpi/proof/watched.hpp"

#include <string>

namespace tracefold {

namespace {

/// The arguments that all calls have.
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

/// A type of one element of this size; MPI_DATATYPE_NULL if there is none.
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

/// Types of 16 bytes exist only as complex numbers.
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

std::optional<WindowTransfer> read_transfer(const MpiCall& mpi_call) {
    for (const Action& action : mpi_call.actions) {
        if (action.kind != Action::Kind::record) continue;
        const auto& f = action.fields;
        const auto target = static_cast<u32>(f[1]);
        if (action.type == EventType::RmaPut) return WindowTransfer{f[0], target, f[2], 0, f[3]};
        if (action.type == EventType::RmaGet) return WindowTransfer{f[0], target, 0, f[2], f[3]};
        if (action.type == EventType::RmaAtomic)
            return WindowTransfer{f[0], target, f[3], f[4], f[5]};
    }
    return std::nullopt;
}

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
