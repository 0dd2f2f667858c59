// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "comm/thread_team.hpp"
#include "core/error.hpp"
#include "trace/location_blocks.hpp"
#include "trace/trace_file.hpp"

#include <utility>

namespace tracefold {

inline void refuse_threads(const Communicator& comm, u32 threads) {
    if (threads < 2) return;
    throw Error(ErrorKind::usage,
                "each of the {} processes works with one thread; leave --threads out, or start "
                "{} times as many processes",
                comm.size(), threads);
}

/// What collective work on a file comes to on process 0. Several processes do it together, each by
/// one thread. Where this process is alone, up to `threads` threads do it as if they were
/// processes (0: one per core where `file` has events enough).
/// `work` is work(comm); it must not change what other threads use. Collective; throws what
/// it throws, and Error(usage) if several processes are to have several threads.
template <class Work>
auto over_threads(Communicator& comm, const TraceFile& file, u32 threads, const Work& work) {
    using Result = decltype(work(comm));
    if (comm.size() != 1) {
        refuse_threads(comm, threads);
        return work(comm);
    }
    Result result{};
    run_as_team(useful_threads(file.definitions().locations(), threads), [&](Communicator& team) {
        Result own = work(team);
        if (team.rank() == 0) result = std::move(own);
    });
    return result;
}

}  // namespace tracefold
