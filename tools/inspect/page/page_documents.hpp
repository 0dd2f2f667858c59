// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "common/console.hpp"
#include "common/trace_input.hpp"
#include "file/file_overview.hpp"
#include "mpi/program_steps.hpp"
#include "questions/profile/profile_table.hpp"
#include "questions/profile/trace_profile.hpp"
#include "questions/stats/statistics.hpp"
#include "transform/sync_clocks.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tracefold {

/// For larger traces, the first answer omits waits between ranks: finding them dominates the time.
inline constexpr u64 kMostWaitEvents = 20'000'000;
/// Profiles of more ranks have no values by rank.
inline constexpr u32 kMostProfileRanks = 1024;

inline constexpr std::size_t kAnySize = ~std::size_t{0};

/// The JSON output of `write`; if that is longer than `most` bytes, a part of more than `most`
/// bytes.
std::string document_of(const std::function<void(Console&)>& write, std::size_t most = kAnySize);

/// JSON documents of the page's views besides the timeline: output of trace_inspect commands, so
/// page and command line agree, plus some of the page's own (docs/internals/page.md). Shared inputs
/// are computed once. An unavailable document, such as times of a file without times, is
/// {"unavailable": "why"}. Memory: a TraceFile, at most 192 MiB of decoded times, a profile and
/// statistics.
class PageDocuments {
  public:
    /// `input`: a folded file; `name`: display name.
    PageDocuments(std::shared_ptr<const InputFile> input, std::string name);
    PageDocuments(const PageDocuments&) = delete;
    PageDocuments& operator=(const PageDocuments&) = delete;
    ~PageDocuments();

    static bool is_known(std::string_view document);

    /// Computes statistics and the profile in parallel; complete on process 0. A single process
    /// distributes the locations over `threads` threads (0: one per core for large traces).
    /// Collective; throws the same Error on all: io, corrupt, unsupported.
    void prepare(Communicator& comm, int fanout, u32 threads);

    /// Loads the file on the first call. `threads`: for the search for steps, as for prepare().
    const OpenTrace& open(u32 threads = 0);
    /// Precondition of these functions: open().
    [[nodiscard]] TraceFile& file() { return *file_; }
    /// A copy for another thread with the same settings. This object must outlive it.
    [[nodiscard]] std::unique_ptr<PageDocuments> clone() const;

    /// The text of a document. Precondition: is_known(document). Throws only if out of memory or
    /// files: std::bad_alloc, Error(io).
    std::string text(const std::string& document);
    /// The text of a document that several processes compute together: "efficiency" or "structure".
    /// Complete on process 0. Collective; throws the same Error on all. Precondition: open().
    std::string shared_text(const std::string& document, Communicator& comm);
    /// The profile without values by rank, to save space.
    std::string short_profile();

    /// Truncates documents that are longer than `most` bytes to a part that is longer as well.
    /// Documents that several processes compute together stay whole.
    void set_most_bytes(std::size_t most) { most_bytes_ = most; }
    /// True if the number of functions alone makes a document exceed set_most_bytes(), whatever
    /// their names and figures. Precondition: open(). Cost: the symbols, once.
    bool is_too_long(std::string_view document);
    /// False if the trace is too large for the search behind "explain".
    [[nodiscard]] bool finds_causes() { return file_overview(file()).events <= kMostWaitEvents; }
    /// Number of functions that the trace enters. Precondition: open(). Cost: the symbols, once.
    u64 functions();
    /// Frees the profile, the statistics and the efficiency until a document needs them again.
    void release();
    /// Report of corrected clocks, if any; must outlive this object.
    void set_clocks(const SyncReport* clocks) { clocks_ = clocks; }

  private:
    void prepare_profile(Communicator& comm, u32 threads);
    void prepare_statistics(Communicator& comm, int fanout, u32 threads);
    const TraceProfile& profile();
    const SpreadStatistics& statistics();
    std::string profile_text(bool by_rank);
    std::string statistics_text();
    std::string spreads_text();
    std::string classes_text();
    std::string explanation_text();
    /// Computed once, as efficiency and its explanation follow each other. Collective.
    const Efficiency& efficiency_with_waits(Communicator& comm);
    std::string efficiency_text(bool waits, Communicator& comm);
    std::string series_text();
    std::string own_text(const std::string& document, Communicator& comm);
    bool takes_times(std::string_view document);
    std::string of_command(std::vector<std::string> arguments, Communicator& comm);

    std::shared_ptr<const InputFile> input_;
    std::string name_;
    std::optional<u64> functions_;  ///< in the trace
    const SyncReport* clocks_ = nullptr;
    std::size_t most_bytes_ = kAnySize;
    u32 threads_ = 0;                  ///< that make a document, as for prepare()
    std::shared_ptr<TraceFile> file_;  ///< once it is needed
    std::optional<FoundSteps> own_steps_;
    std::optional<OpenTrace> opened_;
    std::optional<TraceProfile> profile_;
    std::optional<SpreadStatistics> statistics_;
    std::optional<Efficiency> efficiency_;
};

}  // namespace tracefold
