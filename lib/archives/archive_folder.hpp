// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/event_folder.hpp"
#include "core/progress_sink.hpp"
#include "fold/structure_store.hpp"
#include "fold/timing_store.hpp"
#include "format/container.hpp"
#include "io/spill_buffer.hpp"
#include "model/definition_index.hpp"
#include "model/trace_summary.hpp"
#include "mpi_calls/mapping_tables.hpp"
#include "trace/time_folder.hpp"
#include "trace/trace_source.hpp"

#include <memory>
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

}  // namespace tracefold
