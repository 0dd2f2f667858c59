// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "export/proxy/call_translator.hpp"
#include "export/proxy/completion_runs.hpp"
#include "mpi/check.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <functional>
#include <memory>
#include <vector>

namespace tracefold {

/// Reads the calls of all ranks of a trace as those of a proxy application. Memory: the check's
/// findings, the definitions, and one rank's outstanding requests. Throws Error: unsupported
/// (several threads of a rank call MPI, calls that wait for each other), corrupt.
class ProxyCallReader {
  public:
    /// Gets a call, and the ticks since the previous one.
    using Sink = std::function<void(const ProxyCall& call, u64 gap)>;

    /// Checks the trace and reads it once. `progress` gets the number of calls on each read. The
    /// file must outlive this object.
    ProxyCallReader(TraceFile& file, std::function<void(u64)> progress,
                    SizeSource sizes = SizeSource::recorded);

    [[nodiscard]] u32 ranks() const { return static_cast<u32>(ranks_.size()); }
    [[nodiscard]] const TraceFile& file() const { return file_; }
    [[nodiscard]] u64 calls() const { return calls_; }      ///< of the trace
    [[nodiscard]] u64 largest() const { return largest_; }  ///< bytes of a message
    [[nodiscard]] u64 file_numbers() const { return objects_.file_count(); }
    [[nodiscard]] bool starts_threads() const { return starts_threads_; }
    /// Receives of another size than recorded.
    [[nodiscard]] u64 sizes_of_senders() const;

    /// Passes the calls of a rank to `sink` in order; returns the translator. Gaps are 0 unless
    /// times are requested and available. Cost: the rank's calls.
    CallTranslator translate(u32 rank, bool with_times, const Sink& sink);

  private:
    struct Rank {
        CommunicatorTable table;
        std::vector<u64> made_at_start;
    };

    MpiCallReader program(u32 rank, Times times);
    void survey(u32 rank);
    void advance();

    TraceFile& file_;
    std::function<void(u64)> progress_;
    CheckResult check_;
    VectorSizes sizes_;
    ObjectSurvey objects_;
    CompletionIdiomDetector chance_;
    std::shared_ptr<const CommunicatorSet> communicators_;
    std::vector<Rank> ranks_;
    u64 calls_ = 0;
    u64 largest_ = 0;
    bool starts_threads_ = false;
};

}  // namespace tracefold
