// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/detail/event_folder.hpp"
#include "base/communicator.hpp"
#include "base/ordered_parts.hpp"
#include "base/parallel.hpp"
#include "file/container.hpp"
#include "file/duration_collector.hpp"
#include "file/record_source.hpp"
#include "fold/mapping_tables.hpp"
#include "fold/structure_store.hpp"
#include "fold/timing_store.hpp"
#include "model/archive_info.hpp"
#include "model/definition_index.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tracefold {

/// Folds locations of a trace one after another into a store, and codes their ticks. Memory: the
/// folded size, one batch, and what SpillBuffer keeps of the ticks.
class ArchiveFolder {
  public:
    struct Options {
        TimingLevel timing = TimingLevel::exact;
        u32 time_error_ppm = 10'000;  ///< of quantized times
        std::string spill_directory = ".";
        ProgressSink progress = {};
        bool rising_times = false;  ///< refuse times that decrease, which libotf2 does not write
        Packing packing{19};        ///< of ticks
    };

    ArchiveFolder(TraceSource& source, const DefinitionIndex& definitions, Options options);

    /// Folds location number `location` (an index into the definitions).
    void fold(u32 location);

    StructureStore& store() { return store_; }
    /// Empty unless the level is histogram.
    TimingStore& timings() { return timings_; }
    /// Ticks sections of the folded locations, in the order of folding; their bytes stand one after
    /// another in ticks().
    [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
    [[nodiscard]] const SpillBuffer& ticks() const { return ticks_; }
    [[nodiscard]] u64 dropped_clock_offsets() const { return dropped_clock_offsets_; }

  private:
    u64 fold_local_definitions(u32 location, MappingTables& tables);
    void fold_events(u32 location, const MappingTables& tables, LocationFacts& facts);
    /// The last time of a batch.
    [[nodiscard]] u64 check_times(const RecordBatch& batch, u64 location, u64 last) const;
    void add_section(u32 location, const std::string& content);

    TraceSource& source_;
    const DefinitionIndex& definitions_;
    Options options_;
    StructureStore store_;
    EventFolder::Kept kept_;
    std::unique_ptr<TimeFolder> times_;  ///< of the location at hand
    TimingStore timings_;
    SpillBuffer ticks_;
    std::vector<Section> sections_;
    u64 dropped_clock_offsets_ = 0;
};

/// The batch without clock offsets, which mean nothing without a time per record.
RecordBatch without_clock_offsets(const RecordBatch& batch);

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
