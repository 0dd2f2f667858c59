// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/mpi_call_reader.hpp"
#include "mpi/remote_readers.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace tracefold {

/// Reads the calls of many locations for somebody who takes them in an order of his own: other
/// threads and processes unwind them, some calls ahead, and he helps where he would have to wait.
/// Each location has the same calls as with MpiCallReader. Memory: that of the readers, and some 16
/// MB at most of calls that wait to be taken, or a few calls for each location; where iterations
/// are offered, also those of a loop of each.
class CallPrefetcher {
  public:
    /// Gives the next call of a location, whose actions are valid until the one after it is asked
    /// for; false at the end, and where iterations are offered. Throws Error(corrupt).
    using Next = std::function<bool(MpiCall& call)>;
    struct Calls {
        Next next;
        IterationSource* iterations = nullptr;
    };

    /// `threads`: all that read, the caller's among them; with one, and without `others`, calls are
    /// read as they are asked for. `others`: processes that read as well, unless it is null. Both
    /// must outlive this object.
    CallPrefetcher(TraceFile& file, u32 threads, Times times, RemoteReaders* others = nullptr);
    CallPrefetcher(const CallPrefetcher&) = delete;
    CallPrefetcher& operator=(const CallPrefetcher&) = delete;
    ~CallPrefetcher();

    /// Before add(): where many iterations come that are alike, no call follows until their source
    /// was told what to do with them.
    void offer_iterations() { offers_ = true; }
    /// Before start(). `known`: what the calls recall; null, or must outlive this object. What it
    /// returns is valid as long as this object is.
    Calls add(u32 location, const ReplayPatch* known);
    /// Once all are added.
    void start();

  private:
    class Stream;
    class Readers;

    [[nodiscard]] AheadLimits limits() const;
    void assign_readers();

    TraceFile& file_;
    u32 threads_;
    Times times_;
    RemoteReaders* others_;
    bool offers_ = false;
    std::vector<std::unique_ptr<Stream>> streams_;
    std::unique_ptr<Readers> readers_;
};

}  // namespace tracefold
