// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/mpi_function.hpp"
#include "support/made_trace.hpp"

#include <map>
#include <string>

namespace tracefold::testing {

/// What a recorder calls a function; a function that is not there has its own name.
using Spellings = std::map<std::string, std::string>;

inline constexpr MadeTrace::Shape kRanksWithObjects = {.ranks = 2, .windows = true, .files = true};

/// Makes a program of 2 ranks with calls of every kind: messages, collectives, requests, a window
/// and a file.
class SpelledProgram {
  public:
    SpelledProgram(MadeTrace& trace, const Spellings& spellings)
        : trace_(trace), spellings_(spellings) {}

    void make() {
        both("MPI_Init");
        both("MPI_Comm_rank");
        add_messages();
        add_requests();
        add_collectives();
        add_window();
        add_file();
        both("MPI_Finalize");
    }

  private:
    using Events = std::vector<MadeTrace::Event>;
    static constexpr u64 kUnrooted = 0xFFFFFFFF;

    void call(u32 rank, const std::string& function, const Events& events = {}) {
        const auto known = spellings_.find(function);
        trace_.call(rank, known == spellings_.end() ? function : known->second, events);
    }
    void both(const std::string& function, const Events& events = {}) {
        for (const u32 rank : {0U, 1U}) call(rank, function, events);
    }

    void add_messages() {
        for (const u64 bytes : {64, 65}) {
            call(0, "MPI_Send", {{EventType::MpiSend, {1, 0, 5, bytes}}});
            call(1, "MPI_Recv", {{EventType::MpiRecv, {0, 0, 5, bytes}}});
        }
        for (const u32 rank : {0U, 1U}) {
            call(rank, "MPI_Sendrecv",
                 {{EventType::MpiSend, {1 - rank, 0, 6, 24}},
                  {EventType::MpiRecv, {1 - rank, 0, 6, 24}}});
        }
    }

    void add_requests() {
        for (const u32 rank : {0U, 1U}) {
            call(rank, "MPI_Irecv", {{EventType::MpiIrecvRequest, {1}}});
            call(rank, "MPI_Isend", {{EventType::MpiIsend, {1 - rank, 0, 7, 128, 2}}});
        }
        complete(7, 1, 2);
        for (const u32 rank : {0U, 1U}) {
            call(rank, "MPI_Isendrecv",
                 {{EventType::MpiIrecvRequest, {3}},
                  {EventType::MpiIsend, {1 - rank, 0, 8, 128, 4}}});
        }
        complete(8, 3, 4);
        both("MPI_Ibarrier", {{EventType::NonBlockingCollectiveRequest, {5}}});
        both("MPI_Wait", {{EventType::NonBlockingCollectiveComplete,
                           {number(CollectiveKind::barrier), 0, kUnrooted, 0, 0, 5}}});
    }

    void complete(u64 tag, u64 receive, u64 send) {
        for (const u32 rank : {0U, 1U}) {
            call(rank, "MPI_Waitall",
                 {{EventType::MpiIrecv, {1 - rank, 0, tag, 128, receive}},
                  {EventType::MpiIsendComplete, {send}}});
        }
    }

    void add_collectives() {
        both("MPI_Barrier", collective(CollectiveKind::barrier, kUnrooted, 0, 0));
        both("MPI_Allreduce", collective(CollectiveKind::allreduce, kUnrooted, 16, 16));
        call(0, "MPI_Bcast", collective(CollectiveKind::bcast, 0, 16, 8));
        call(1, "MPI_Bcast", collective(CollectiveKind::bcast, 0, 0, 8));
    }

    void add_window() {
        const auto together = [this](const char* function, EventType object, CollectiveKind kind) {
            for (const u32 rank : {0U, 1U}) {
                call(rank, function,
                     {{EventType::RmaCollectiveBegin, {}},
                      {object, {0}},
                      {EventType::RmaCollectiveEnd, {number(kind), 1, 0, kUnrooted, 0, 0}}});
            }
        };
        const auto fence = [this] {
            both("MPI_Win_fence", {{EventType::RmaCollectiveBegin, {}},
                                   {EventType::RmaCollectiveEnd, {0, 3, 0, kUnrooted, 0, 0}}});
        };
        together("MPI_Win_create", EventType::RmaWinCreate, CollectiveKind::create_handle);
        fence();
        call(0, "MPI_Put", {{EventType::RmaPut, {0, 1, 40, 9}}});
        call(1, "MPI_Get", {{EventType::RmaGet, {0, 0, 48, 9}}});
        fence();
        together("MPI_Win_free", EventType::RmaWinDestroy, CollectiveKind::destroy_handle);
    }

    void add_file() {
        both("MPI_File_open", {{EventType::IoCreateHandle, {0, 2, 1, 0}}});
        both("MPI_File_write", {{EventType::IoOperationBegin, {0, 1, 0, 400, 10}},
                                {EventType::IoOperationComplete, {0, 400, 10}}});
        both("MPI_File_close", {{EventType::IoDestroyHandle, {0}}});
    }

    static u64 number(CollectiveKind kind) { return static_cast<u64>(kind); }
    static Events collective(CollectiveKind kind, u64 root, u64 sent, u64 received) {
        return {{EventType::MpiCollectiveBegin, {}},
                {EventType::MpiCollectiveEnd, {number(kind), 0, root, sent, received}}};
    }

    MadeTrace& trace_;
    const Spellings& spellings_;
};

}  // namespace tracefold::testing
