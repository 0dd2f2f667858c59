// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"
#include "mpi/program_steps.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace tracefold {

/// A communication operation of a rank, in program order. A receive counts when the message has
/// arrived, a collective when it is over, but where it is posted if it is nonblocking.
struct Operation {
    enum class Kind : u8 {
        send,
        receive,
        collective,
        access,      ///< a one-sided transfer
        completion,  ///< of requests, without a message
    };

    u32 call = 0;     ///< index among the calls of the location
    u32 channel = 0;  ///< of messages; of a collective its communicator; both in dense numbers
    u32 tag = 0;
    u32 size = 0;  ///< of the message, or of a collective's own data, in bytes, modulo 2^32
    Kind kind{};
    u8 operation = 0;  ///< of a collective: OTF2_CollectiveOp
    /// The call ends with it, and no request is outstanding after it.
    bool at_rest = false;
};

/// Messages from one rank to another in one communicator.
struct Channel {
    u32 sender = kNone;
    u32 receiver = kNone;
    u32 communicator = kNone;
};

struct Operations {
    struct Rank {
        u32 location = kNone;
        std::vector<Operation> operations;
        u64 calls = 0;  ///< of the location
    };

    std::vector<Rank> ranks;
    std::vector<Channel> channels;
    std::vector<std::vector<u32>> communicators;  ///< world ranks of the members

    /// Ignores outstanding requests: every end of a call is at rest.
    void overlook_requests();
    /// Gives communicators of the same members, of which one is used after the other, one number
    /// in all operations, such as those that a program makes and frees in a loop. Their use is that
    /// of the lowest member. Returns false if there are none. Messages are then no longer matched
    /// by channel.
    bool merge_successive_communicators();
};

/// Elements to reserve for at most `most`, maybe far fewer.
inline std::size_t bounded_reserve(u64 most) { return std::min<u64>(most, u64{1} << 20U); }

struct OperationLimits {
    u64 events = 0;  ///< as the file counts them
    u64 operations = 0;
};

/// Nullopt, with the reason in `why`, if there are no messages between ranks, if a rank
/// communicates on several locations, or if the trace exceeds `most`. Cost: unwinds the locations,
/// divided among `threads` (0: one per core for large traces). Memory: the operations. Throws
/// Error(corrupt).
std::optional<Operations> read_operations(TraceFile& file, OperationLimits most, u32 threads,
                                          NoSteps& why);

}  // namespace tracefold
