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

/// Folds locations of a trace one after another into a store, and encodes their ticks. Memory: the
/// folded size, one batch, and the memory of a SpillBuffer for ticks.
class ArchiveFolder {
  public:
    struct Options {
        TimingLevel timing = TimingLevel::exact;
        u32 time_error_ppm = 10'000;  ///< of quantized times
        std::string spill_directory = ".";
        ProgressSink progress = {};
        bool rising_times = false;  ///< refuse decreasing times, which OTF2 cannot have
        Packing packing{19};        ///< of ticks
    };

    ArchiveFolder(TraceSource& source, const DefinitionIndex& definitions, Options options);

    /// Folds a location, given by its index in the definitions.
    void fold(u32 location);

    StructureStore& store() { return store_; }
    /// Empty unless the level is histogram.
    TimingStore& timings() { return timings_; }
    /// Ticks sections of the folded locations, in folding order; ticks() holds their bytes.
    [[nodiscard]] const std::vector<Section>& sections() const { return sections_; }
    [[nodiscard]] const SpillBuffer& ticks() const { return ticks_; }
    [[nodiscard]] u64 dropped_clock_offsets() const { return dropped_clock_offsets_; }

  private:
    u64 fold_local_definitions(u32 location, MappingTables& tables);
    void fold_events(u32 location, const MappingTables& tables, LocationFacts& facts);
    /// Returns the last time of a batch.
    [[nodiscard]] u64 check_times(const RecordBatch& batch, u64 location, u64 last) const;
    void add_section(u32 location, const std::string& content);

    TraceSource& source_;
    const DefinitionIndex& definitions_;
    Options options_;
    StructureStore store_;
    EventFolder::Kept kept_;
    std::unique_ptr<TimeFolder> times_;  ///< of the current location
    TimingStore timings_;
    SpillBuffer ticks_;
    std::vector<Section> sections_;
    u64 dropped_clock_offsets_ = 0;
};

/// Returns the batch without clock offsets, which are meaningless without a time per record.
RecordBatch without_clock_offsets(const RecordBatch& batch);

/// The threads of one process, which share its locations. Each has its own reader.
class FoldingTeam {
  public:
    struct Member {
        std::unique_ptr<TraceSource> own_source;  ///< for all but the first thread
        TraceSource* source = nullptr;
        std::vector<u32> block;    ///< locations, ascending
        std::vector<u32> checked;  ///< those to verify: another process has folded them
        std::optional<ArchiveFolder> folder;
    };

    /// For this process of `comm`. `threads`: as in CompressOptions. The source and the definitions
    /// must outlive the team; the source must have read its definitions.
    FoldingTeam(TraceSource& source, const DefinitionIndex& definitions, const Communicator& comm,
                u32 threads);

    /// Of the locations of all members: declared_events(&Member::block).
    [[nodiscard]] u64 declared_events(std::vector<u32> Member::*locations) const;
    /// The process that folded the locations which this one verifies; itself, if it is the only one
    /// or the trace has no files.
    [[nodiscard]] int checked_process() const { return checked_process_; }

    /// Folds all blocks in parallel; afterwards the folder of the first member has the merged
    /// structure, and each folder its own ticks. Progress is reported by one thread at a time. Call
    /// once.
    void fold(ArchiveFolder::Options options);

    /// Runs `work` for all members in parallel. Throws the exception of the first failing one.
    void run(const std::function<void(Member&)>& work);

    StructureStore& store() { return members_.front().folder->store(); }
    TimingStore& timings() { return members_.front().folder->timings(); }
    [[nodiscard]] const std::vector<Member>& members() const { return members_; }
    [[nodiscard]] u64 unknown_records() const;
    [[nodiscard]] u64 dropped_clock_offsets() const;

  private:
    const DefinitionIndex& definitions_;
    std::vector<Member> members_;
    int checked_process_;
};

}  // namespace tracefold
