// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/made_trace.hpp"

#include <string>
#include <vector>

namespace tracefold::testing {

/// One rank with threads.
class Threads {
  public:
    explicit Threads(u32 threads) : trace({.ranks = 1, .threads = threads}) {}

    void record(u32 thread, EventType type, const std::vector<u64>& fields) {
        trace.record(0, thread, type, fields);
    }
    void enter(u32 thread, const std::string& name) {
        record(thread, EventType::Enter, {trace.region(name)});
    }
    void leave(u32 thread, const std::string& name) {
        record(thread, EventType::Leave, {trace.region(name)});
    }
    void fork(u32 thread) { record(thread, EventType::ThreadFork, {0, 2}); }
    void join(u32 thread) { record(thread, EventType::ThreadJoin, {0}); }
    void begin(u32 thread, u64 team) { record(thread, EventType::ThreadTeamBegin, {team}); }
    void end(u32 thread, u64 team) { record(thread, EventType::ThreadTeamEnd, {team}); }

    /// A parallel region of threads 0 and 1, in which both work.
    void parallel(const std::string& name, u64 team) {
        fork(0);
        for (const u32 thread : {0U, 1U}) begin(thread, team);
        for (const u32 thread : {0U, 1U}) enter(thread, name);
        for (const u32 thread : {0U, 1U}) enter(thread, "work");
        for (const u32 thread : {0U, 1U}) leave(thread, "work");
        for (const u32 thread : {0U, 1U}) leave(thread, name);
        for (const u32 thread : {0U, 1U}) end(thread, team);
        join(0);
    }

    MadeTrace trace;
};

/// One parallel region of two threads, the second of which comes late to a barrier. Every record
/// takes a tick.
inline void add_late_thread(Threads& threads) {
    const std::string parallel = "!$omp parallel @program.c:3";
    const std::string barrier = "!$omp barrier @program.c:5";
    threads.enter(0, "main");
    threads.trace.call(0, "MPI_Init");  // ends at 2
    threads.fork(0);
    threads.begin(0, 2);
    threads.begin(1, 2);
    threads.enter(0, parallel);
    threads.enter(1, parallel);
    threads.enter(0, barrier);
    threads.enter(1, "work");
    threads.leave(1, "work");
    threads.enter(1, barrier);
    threads.leave(0, barrier);
    threads.leave(1, barrier);
    threads.leave(0, parallel);
    threads.leave(1, parallel);
    threads.end(0, 2);
    threads.end(1, 2);
    threads.join(0);
    threads.trace.call(0, "MPI_Finalize");  // begins at 19
    threads.leave(0, "main");
}

}  // namespace tracefold::testing
