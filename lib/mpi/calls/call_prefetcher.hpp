// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/calls/shared_calls.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/remote_readers.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace tracefold {

/// Prefetches the calls of many locations for a consumer that takes them in any order: other
/// threads and processes decode them some calls ahead, and the consumer decodes when it would
/// block. Each location has the same calls as with MpiCallReader; without times, locations with the
/// same calls share them. Memory: the readers, and at most
/// 16 MB of prefetched calls, or a few calls for each location; with offer_iterations(), also the
/// calls of one loop of each location.
class CallPrefetcher {
  public:
    /// Gives the next call of a location, whose actions are valid until the next request; false at
    /// the end, and at offered iterations. Throws Error(corrupt).
    using Next = std::function<bool(MpiCall& call)>;
    struct Calls {
        Next next;
        IterationSource* iterations = nullptr;
    };

    /// `threads`: all reading threads, with the caller's; with one, and without `others`, calls are
    /// read on demand. `others`: further reading processes, or null. Both must outlive this object.
    CallPrefetcher(TraceFile& file, u32 threads, Times times, RemoteReaders* others = nullptr);
    CallPrefetcher(const CallPrefetcher&) = delete;
    CallPrefetcher& operator=(const CallPrefetcher&) = delete;
    ~CallPrefetcher();

    /// Call before add(): before many equal iterations, no call follows until the consumer tells
    /// their source to read or skip them.
    void offer_iterations() { offers_ = true; }
    /// Call before start(). `known`: the patch to apply to the calls; null, or must outlive this
    /// object. The result is valid as long as this object.
    Calls add(u32 location, const ReplayPatch* known);
    /// Call after the last add().
    void start();

  private:
    class Stream;
    class Readers;

    [[nodiscard]] AheadLimits limits() const;
    void share_programs();
    std::vector<Stream*> assign_readers();

    TraceFile& file_;
    u32 threads_;
    Times times_;
    RemoteReaders* others_;
    bool offers_ = false;
    std::vector<std::unique_ptr<SharedProgram>> programs_;
    std::vector<std::unique_ptr<Stream>> streams_;
    std::unique_ptr<Readers> readers_;
};

}  // namespace tracefold
