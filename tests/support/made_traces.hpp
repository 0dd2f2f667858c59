// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/made_trace.hpp"
#include "support/matched_probes.hpp"

namespace tracefold::testing {

/// Ranks that are location groups of two threads. Rank 0 calls MPI on its first one, rank 1 on its
/// second one.
inline constexpr MadeTrace::Shape kRanksOfGroups = {.ranks = 2, .threads = 2, .of_groups = true};

inline void make_calls_on_second_thread(MadeTrace& trace) {
    const auto both = [&trace](const char* function) {
        trace.call_of(0, 0, function);
        trace.call_of(1, 1, function);
    };
    both("MPI_Init");
    trace.call_of(1, 0, "compute");
    for (const u64 bytes : {8, 16, 24}) {
        trace.call_of(0, 0, "MPI_Send", {{EventType::MpiSend, {1, 0, 5, bytes}}});
        trace.call_of(1, 1, "MPI_Recv", {{EventType::MpiRecv, {0, 0, 5, bytes}}});
        trace.call_of(0, 1, "compute");
    }
    both("MPI_Finalize");
}

/// One thread of rank 1 probes, another one receives, and a third one completes.
inline constexpr MadeTrace::Shape kThreeThreads = {.ranks = 2, .threads = 3};

inline void make_messages_handed_over(MadeTrace& trace) {
    for (const u32 rank : {0U, 1U}) trace.call(rank, "MPI_Init");
    for (const u64 bytes : {8, 9}) {
        trace.call(0, "MPI_Send", {{EventType::MpiSend, {1, 0, 5, bytes}}});
    }
    for (const u64 message : {1, 2}) {
        trace.call_of(1, 1, "MPI_Mprobe", {{EventType::MpiProbe, {0, 0, 5, message}}});
    }
    trace.call_of(1, 0, "MPI_Mrecv", {{EventType::MpiMrecv, {2, 9}}});
    trace.call_of(1, 0, "MPI_Imrecv", {{EventType::MpiImrecvRequest, {1, 3}}});
    trace.call_of(1, 2, "MPI_Wait", {{EventType::MpiImrecv, {3, 8}}});
    for (const u32 rank : {0U, 1U}) trace.call(rank, "MPI_Finalize");
}

/// Two processing elements. The first one waits 60 ticks in a barrier for the second one, which
/// then puts 64 bytes to it and adds to a number of its own.
inline constexpr MadeTrace::Shape kTwoPes = {
    .ranks = 2, .paradigm = MadeTrace::kShmem, .windows = true};

inline void make_puts(MadeTrace& trace) {
    const auto record = [&trace](u32 pe, u64 time, EventType type, std::vector<u64> fields) {
        trace.at(time);
        trace.record(pe, 0, type, fields);
    };
    const u64 main = trace.region("main");
    const u64 barrier = trace.region("shmem_barrier_all");
    const u64 put = trace.region("shmem_putmem");
    for (const u32 pe : {0U, 1U}) {
        record(pe, 0, EventType::Enter, {main});
        record(pe, pe == 0 ? 40 : 90, EventType::Enter, {barrier});
        record(pe, 100, EventType::Leave, {barrier});
    }
    record(1, 100, EventType::Enter, {put});
    record(1, 101, EventType::RmaPut, {0, 0, 64, 1});
    record(1, 102, EventType::RmaAtomic, {1, 0, 1, 8, 8, 2});
    record(1, 110, EventType::Leave, {put});
    for (const u32 pe : {0U, 1U}) record(pe, 120, EventType::Leave, {main});
}

/// Three processes of two threads that nothing started. The second process has no events, nor the
/// second thread of the third one.
inline constexpr MadeTrace::Shape kProcesses = {
    .ranks = 3, .threads = 2, .paradigm = MadeTrace::kNoParadigm};

inline void make_work(MadeTrace& trace) {
    const auto work = [&trace](u32 process, u32 thread, u64 begin, u64 end) {
        const u64 region = trace.region("work");
        trace.at(begin);
        trace.record(process, thread, EventType::Enter, {region});
        trace.at(end);
        trace.record(process, thread, EventType::Leave, {region});
    };
    work(0, 0, 0, 100);
    work(0, 1, 20, 60);
    work(2, 0, 0, 50);
}

/// Four ranks, of which 0 and 2 have no events.
inline constexpr MadeTrace::Shape kHalfRecorded = {.ranks = 4};

inline void make_half(MadeTrace& trace) {
    for (const u32 rank : {1U, 3U}) trace.call(rank, "MPI_Init");
    for (const u32 rank : {1U, 3U}) {
        trace.call(rank, "compute");
        trace.call(rank, "MPI_Send", {{EventType::MpiSend, {(rank + 1) % 4, 0, 5, 64}}});
    }
    for (const u32 rank : {1U, 3U}) trace.call(rank, "MPI_Finalize");
}

/// Ranks with the same times, which are chance, as a thread has that samples for all of them at
/// once. The last rank has its own.
inline constexpr MadeTrace::Shape kSampledRanks = {.ranks = 5};

inline void make_shared_times(MadeTrace& trace) {
    u64 chance = 1;
    u64 now = 0;
    for (u64 sample = 0; sample < 200; ++sample) {
        chance = chance * 6364136223846793005U + 1442695040888963407U;
        now += 2000 + chance % 1024;
        const u64 region = trace.region(sample % 3 == 0 ? "one" : "other");
        for (u32 rank = 0; rank < kSampledRanks.ranks; ++rank) {
            const u64 begin = now + (rank + 1 == kSampledRanks.ranks ? sample : 0);
            trace.at(begin);
            trace.record(rank, 0, EventType::Enter, {region});
            trace.at(begin + 500 + (chance >> 60U));
            trace.record(rank, 0, EventType::Leave, {region});
        }
    }
}

/// One rank that calls itself `levels` deep.
inline constexpr MadeTrace::Shape kOneRank = {.ranks = 1};

inline void make_recursion(MadeTrace& trace, u64 levels = 200'000) {
    const u64 outermost = trace.region("main");
    const u64 recursive = trace.region("fib");
    trace.record(0, 0, EventType::Enter, {outermost});
    for (u64 i = 0; i < levels; ++i) trace.record(0, 0, EventType::Enter, {recursive});
    for (u64 i = 0; i < levels; ++i) trace.record(0, 0, EventType::Leave, {recursive});
    trace.record(0, 0, EventType::Leave, {outermost});
}

/// One rank that calls so many functions once each.
inline void make_many_regions(MadeTrace& trace, u64 regions = 200'000) {
    const u64 outermost = trace.region("main");
    trace.record(0, 0, EventType::Enter, {outermost});
    for (u64 i = 0; i < regions; ++i) trace.call(0, "function_" + std::to_string(i));
    trace.record(0, 0, EventType::Leave, {outermost});
}

/// Two ranks whose non-blocking messages have no requests, as TAU records them: MPI_Isend is a
/// send, MPI_Irecv nothing, and its message a receive in the call that completes it.
inline void make_messages_without_requests(MadeTrace& trace) {
    for (u64 step = 0; step < 3; ++step) {
        for (u32 rank = 0; rank < 2; ++rank) {
            trace.call(rank, "MPI_Irecv()");
            trace.call(rank, "MPI_Irecv()");  // from MPI_PROC_NULL
            trace.call(rank, "MPI_Isend()", {{EventType::MpiSend, {1 - rank, 0, step, 8}}});
            trace.call(rank, "MPI_Waitall()", {{EventType::MpiRecv, {1 - rank, 0, step, 8}}});
        }
        for (u32 rank = 0; rank < 2; ++rank) {
            trace.call(rank, "MPI_Irecv()");
            trace.call(rank, "MPI_Isend()", {{EventType::MpiSend, {1 - rank, 0, 9, 16}}});
            trace.call(rank, "MPI_Wait()");
            trace.call(rank, "MPI_Wait()", {{EventType::MpiRecv, {1 - rank, 0, 9, 16}}});
        }
    }
}

/// The same records, but in order the sends would complete before their messages are received.
inline void make_contradicting_waits(MadeTrace& trace) {
    for (u32 rank = 0; rank < 2; ++rank) {
        trace.call(rank, "MPI_Isend()", {{EventType::MpiSend, {1 - rank, 0, 5, 8}}});
        trace.call(rank, "MPI_Wait()");
    }
    for (u32 rank = 0; rank < 2; ++rank) {
        trace.call(rank, "MPI_Recv()", {{EventType::MpiRecv, {1 - rank, 0, 5, 8}}});
    }
}

/// Windows of which a recorder writes the names of the calls only.
inline void make_bare_windows(MadeTrace& trace) {
    for (u32 rank = 0; rank < 2; ++rank) trace.call(rank, "MPI_Win_create()");
    for (u32 rank = 0; rank < 2; ++rank) {
        trace.call(rank, "MPI_Win_lock_all()");
        trace.call(rank, "MPI_Put()");
        trace.call(rank, "MPI_Win_flush()");
        trace.call(rank, "MPI_Isend()", {{EventType::MpiSend, {1 - rank, 0, 5, 8}}});
        trace.call(rank, "MPI_Recv()", {{EventType::MpiRecv, {1 - rank, 0, 5, 8}}});
    }
    for (u32 rank = 0; rank < 2; ++rank) trace.call(rank, "MPI_Win_free()");
}

/// A file that ranks open alone, and another one, which they open again and again together: rank 1
/// less often alone than rank 0. Calls on views and sizes have no record. At the end a handle is
/// used that nobody opens.
inline constexpr MadeTrace::Shape kRanksWithFiles = {.ranks = 2, .files = true};

inline void make_files_opened_again(MadeTrace& trace) {
    constexpr u64 kShared = 0;
    constexpr u64 kPairs = 1;  ///< of the same ranks, but opened less often
    constexpr u64 kNever = 2;
    trace.define([](DefinitionWriter& out) {
        out.add(DefinitionType::IoRegularFile, {1, out.string("/data/other"), kNone});
        out.add(DefinitionType::IoHandle, {kPairs, out.string(""), 1, 0, 0, 0, kNone});
        out.add(DefinitionType::IoHandle, {kNever, out.string(""), 1, 0, 0, 0, kNone});
    });
    const auto bare = [&trace](const char* function) {
        for (u32 rank = 0; rank < 2; ++rank) trace.call(rank, function);
    };
    const auto open = [&trace](u64 handle) {
        for (u32 rank = 0; rank < 2; ++rank) {
            trace.call(rank, "MPI_File_open", {{EventType::IoCreateHandle, {handle, 2, 1, 0}}});
        }
    };
    const auto close = [&trace](u64 handle) {
        for (u32 rank = 0; rank < 2; ++rank) {
            trace.call(rank, "MPI_File_close", {{EventType::IoDestroyHandle, {handle}}});
        }
    };
    for (int round = 0; round < 2; ++round) {
        open(kShared);
        bare("MPI_File_set_view");
        open(kPairs);
        // Only rank 0 is taken to use the other file.
        trace.call(0, "MPI_File_sync");
        close(kPairs);
        bare("MPI_File_set_size");  // on the file that is still open
        close(kShared);
    }
    trace.call(0, "MPI_File_seek", {{EventType::IoSeek, {kNever, 0, 0, 64}}});
}

}  // namespace tracefold::testing
