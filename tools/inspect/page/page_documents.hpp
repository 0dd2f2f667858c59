// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "common/console.hpp"
#include "common/trace_input.hpp"
#include "mpi/program_steps.hpp"
#include "questions/profile/trace_profile.hpp"
#include "questions/stats/statistics.hpp"
#include "transform/sync_clocks.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tracefold {

/// Larger traces have no waits of ranks for each other in the first answer: finding them takes
/// longer than all else together.
inline constexpr u64 kMostWaitEvents = 20'000'000;
/// Profiles of more ranks have no values by rank.
inline constexpr u32 kMostProfileRanks = 1024;

inline constexpr std::size_t kAnySize = ~std::size_t{0};

/// The output of `write` to a console with --json. If it is longer than `most` bytes: part of it,
/// which is longer than `most` bytes as well.
std::string document_of(const std::function<void(Console&)>& write, std::size_t most = kAnySize);

/// What the views of a page beside the timeline are made of: JSON documents as trace_inspect's own
/// commands print them, so that a page and the command line cannot disagree, and a few of the
/// page's own (docs/internals/page.md). What several documents need is worked out once. Where one
/// cannot be had, such as times of a file that keeps none, it is {"unavailable": "why"}. Memory:
/// that of a TraceFile, 192 MiB of decoded times at most, a profile and statistics.
class PageDocuments {
  public:
    /// `path`: of a folded file that stays; `name`: what it is called.
    PageDocuments(std::string path, std::string name);
    PageDocuments(const PageDocuments&) = delete;
    PageDocuments& operator=(const PageDocuments&) = delete;
    ~PageDocuments();

    static bool is_known(std::string_view document);

    /// Works out by all processes together what is worth it, statistics and the profile; complete
    /// on process 0. One process by itself shares the locations out among `threads` threads (0: one
    /// per core where there are events enough). Collective; the same Error on all: io, corrupt,
    /// unsupported.
    void prepare(Communicator& comm, int fanout, u32 threads);

    /// Opens the file, unless that was done. `threads`: as for prepare(), of those that look for
    /// its steps.
    const OpenTrace& open(u32 threads = 0);
    /// Precondition for these: open().
    [[nodiscard]] TraceFile& file() { return *file_; }
    /// For another thread, with the same steps and as many threads. This object must outlive it.
    [[nodiscard]] std::unique_ptr<PageDocuments> clone() const;

    /// Precondition: is_known(document). Throws only where memory or files run out:
    /// std::bad_alloc, Error(io).
    std::string text(const std::string& document);
    /// The same of documents that several processes make together, "efficiency" and "structure";
    /// complete on process 0. Collective; throws the same Error on all. Precondition: open().
    std::string shared_text(const std::string& document, Communicator& comm);
    /// The profile without values by rank, which take room.
    std::string short_profile();

    /// Documents of more bytes have no room: of these, parts of more bytes are made. Documents that
    /// several processes make together are made whole.
    void set_most_bytes(std::size_t most) { most_bytes_ = most; }
    /// If the clocks were corrected, what became of them; it must outlive this object.
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
    std::string efficiency_text(bool waits, Communicator& comm);
    std::string series_text();
    std::string own_text(const std::string& document, Communicator& comm);
    bool takes_times(std::string_view document);
    std::string of_command(std::vector<std::string> arguments, Communicator& comm);

    std::string path_;
    std::string name_;
    const SyncReport* clocks_ = nullptr;
    std::size_t most_bytes_ = kAnySize;
    u32 threads_ = 0;                  ///< that make a document, as for prepare()
    std::shared_ptr<TraceFile> file_;  ///< once it is needed
    std::optional<FoundSteps> own_steps_;
    std::optional<OpenTrace> opened_;
    std::optional<TraceProfile> profile_;
    std::optional<SpreadStatistics> statistics_;
};

}  // namespace tracefold
