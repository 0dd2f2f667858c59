// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/archive_folder.hpp"
#include "comm/communicator.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <vector>

namespace tracefold {

/// The threads of one process, among which its locations are shared out as they are among
/// processes. Each reads the trace by itself.
class FoldingTeam {
  public:
    struct Member {
        std::unique_ptr<TraceSource> own_source;  ///< of all but the first
        TraceSource* source = nullptr;
        std::vector<u32> block;  ///< of locations, rising
        std::optional<ArchiveFolder> folder;
    };

    /// For this process of `comm`. `threads`: as in CompressOptions. The source and the definitions
    /// must outlive the team, and the source has told its definitions.
    FoldingTeam(TraceSource& source, const DefinitionIndex& definitions, const Communicator& comm,
                u32 threads);

    /// Declared by the definitions, in all blocks.
    [[nodiscard]] u64 declared_events() const;

    /// Each member folds its block; the first one's folder has the union afterwards, and each its
    /// own ticks. Progress is told by one thread at a time. Call once.
    void fold(ArchiveFolder::Options options);

    /// Work of all members side by side. Throws what the first one that fails throws.
    void run(const std::function<void(Member&)>& work);

    StructureStore& store() { return members_.front().folder->store(); }
    TimingStore& timings() { return members_.front().folder->timings(); }
    [[nodiscard]] const std::vector<Member>& members() const { return members_; }
    /// Skipped so far by all sources.
    [[nodiscard]] u64 unknown_records() const;
    [[nodiscard]] u64 dropped_clock_offsets() const;

  private:
    const DefinitionIndex& definitions_;
    std::vector<Member> members_;
};

}  // namespace tracefold
