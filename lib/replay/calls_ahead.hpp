// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call_reader.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace tracefold {

/// Reads the calls of many locations for somebody who takes them in an order of his own: other
/// threads unwind them, some calls ahead. Each location has the same calls as with MpiCallReader.
/// Memory: that of the readers, and some 16 MB at most of calls that wait to be taken, or a few
/// calls for each location.
class CallsAhead {
  public:
    /// Gives the next call of a location, whose actions are valid until the one after it is asked
    /// for; false at the end. Throws Error(corrupt).
    using Next = std::function<bool(MpiCall& call)>;

    /// `threads`: all that read, the caller's among them; with one, calls are read as they are
    /// asked for. The file must outlive this object.
    CallsAhead(TraceFile& file, u32 threads, Times times);
    CallsAhead(const CallsAhead&) = delete;
    CallsAhead& operator=(const CallsAhead&) = delete;
    ~CallsAhead();

    /// Before start(). `known`: what the calls recall; null, or must outlive this object. What it
    /// returns is valid as long as this object is.
    Next add(u32 location, const ReplayPatch* known);
    /// Once all are added.
    void start();

  private:
    class Stream;
    class Reader;

    TraceFile& file_;
    u32 threads_;
    Times times_;
    std::vector<std::unique_ptr<Stream>> streams_;
    std::vector<std::unique_ptr<Reader>> readers_;
};

}  // namespace tracefold
