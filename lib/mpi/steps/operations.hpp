// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/trace_file.hpp"

#include <algorithm>
#include <optional>
#include <vector>

namespace tracefold {

/// Something that a rank does with others, in its order. A receive is where the message has come, a
/// collective where it is over.
struct Operation {
    enum class Kind : u8 {
        send,
        receive,
        collective,
        access,      ///< a one-sided transfer
        completion,  ///< of requests, without a message that came
    };

    u32 call = 0;     ///< number among the calls of the location, from 0
    u32 channel = 0;  ///< of messages; of a collective its communicator; both as numbered here
    u32 tag = 0;
    u32 size = 0;  ///< of the message in bytes, modulo 2^32
    Kind kind{};
    u8 operation = 0;  ///< of a collective: OTF2_CollectiveOp
    /// The call ends with it, and no request is outstanding behind it.
    bool at_rest = false;
};

/// Messages of one rank to another in one communicator.
struct Channel {
    u32 sender = kNone;
    u32 receiver = kNone;
};

/// The operations of all ranks.
struct Operations {
    struct Rank {
        u32 location = kNone;
        std::vector<Operation> operations;
        u64 calls = 0;  ///< of the location
    };

    std::vector<Rank> ranks;
    std::vector<Channel> channels;
    std::vector<std::vector<u32>> communicators;  ///< world ranks of the members

    /// From now on only the ends of calls count, be requests outstanding or not.
    void overlook_requests();
};

/// Room to reserve at first for elements of which there are at most so many, maybe far fewer.
inline std::size_t bounded_reserve(u64 most) { return std::min<u64>(most, u64{1} << 20U); }

/// What is not too much to read.
struct OperationLimits {
    u64 events = 0;  ///< as the file counts them
    u64 operations = 0;
};

/// Nothing if there are no ranks, if a rank communicates on several locations, or if there is more
/// to read than `most`. Cost: unwinds the locations, which `threads` share out (0: one per core
/// where there are events enough). Memory: the operations. Throws Error(corrupt).
std::optional<Operations> read_operations(TraceFile& file, OperationLimits most, u32 threads = 1);

}  // namespace tracefold
