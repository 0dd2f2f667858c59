// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/archive_codec.hpp"
#include "file/byte_differences.hpp"
#include "file/container.hpp"
#include "file/record_source.hpp"
#include "fold/definition_codec.hpp"
#include "fold/mapping_tables.hpp"
#include "fold/structure_index.hpp"
#include "fold/structure_store.hpp"
#include "model/definition_index.hpp"
#include "model/structure.hpp"
#include "model/timing_model.hpp"

#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace tracefold {

/// The global definitions in folded form: a structure with one location, and the strings'
/// characters.
struct FoldedDefinitions {
    Structure structure;
    std::string text;
};

/// Folds definitions while they are read. `read` passes all batches to its argument, in order;
/// `events` gives the numbers of events that were read; `dictionary` is that of the file.
FoldedDefinitions fold_definitions(const std::function<void(const BatchSink&)>& read,
                                   EventCounts events, const Dictionary& dictionary);

/// Folds the local definitions of a location into the store. `read` passes all batches to its
/// argument, in order. Returns the number of records.
u64 fold_local_definitions(StructureStore& store, u32 location,
                           const std::function<void(const BatchSink&)>& read);

/// The definitions of one location, or the global ones, of a folded structure as records. At most
/// `expected` records: more are an Error(corrupt). The arguments must outlive the source.
std::unique_ptr<RecordSource> definition_source(StructureIndex& index, Stream stream, u32 location,
                                                const std::string& text, u64 expected,
                                                const Dictionary& dictionary,
                                                EventCounts events = {});

class DecodedTicks;
class RegionNesting;

/// A .tfold file opened for reading: everything but the times is loaded, records are unwound on
/// demand. Throws Error: io, corrupt, unsupported. For concurrent use.
class TRACEFOLD_API TraceFile {
  public:
    /// Messages call the file by its path, or by `name`. Up to `threads` threads decode sections.
    explicit TraceFile(const std::string& path, const std::string& name = "", u32 threads = 1);
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;
    ~TraceFile();

    /// From now on keeps exact times once they are decoded (DecodedTicks), which pays if locations
    /// are read more than once. Memory: at most `most_bytes`; without it, eight times the size of
    /// the file, and at most 64 MiB. Before other threads use the file.
    void keep_decoded_ticks(std::optional<u64> most_bytes = std::nullopt);
    /// Null if they are not kept.
    [[nodiscard]] DecodedTicks* decoded_ticks() { return decoded_ticks_.get(); }

    [[nodiscard]] const ContainerReader& container() const { return container_; }
    [[nodiscard]] const ArchiveInfo& archive() const { return head_.archive; }
    [[nodiscard]] const TraceSummary& summary() const { return head_.summary; }
    [[nodiscard]] const DefinitionIndex& definitions() const { return definitions_; }
    /// Decoded when they are asked for first. Precondition: summary().timing is histogram.
    const TimingModel& durations();
    /// The events of all locations.
    [[nodiscard]] const Structure& structure() const { return structure_; }
    StructureIndex& index() { return *index_; }
    [[nodiscard]] u32 location_count() const { return structure_.location_count; }

    /// Records in source order. Times of events are those that the file keeps (TickSource); without
    /// any, one tick per record from the trace's clock offset on. The file must outlive the
    /// sources.
    std::unique_ptr<RecordSource> global_definitions();
    std::unique_ptr<RecordSource> local_definitions(u32 location);
    std::unique_ptr<RecordSource> events(u32 location);

    /// How Leaves are paired with Enters.
    RegionNesting& nesting() { return *nesting_; }

    /// The mapping tables among a location's local definitions.
    MappingTables mapping_tables(u32 location);

    /// What proves that restored files are the archive's, and what is kept of them beside their
    /// records; nothing if their bytes were not compared.
    [[nodiscard]] std::optional<ByteDifferences> kept_bytes() const;

    /// Companion and extra files carried along, one at a time.
    void read_files(const std::function<void(const CarriedFile&)>& sink) const;

  private:
    void load(u32 threads);
    void index_definitions();
    void index_locations();

    ContainerReader container_;
    ArchiveHead head_;
    FoldedDefinitions folded_definitions_;
    DefinitionIndex definitions_;
    Structure local_definitions_;
    Structure structure_;
    std::unique_ptr<StructureIndex> definitions_index_;
    std::unique_ptr<StructureIndex> local_definitions_index_;
    std::unique_ptr<StructureIndex> index_;
    std::mutex durations_mutex_;
    std::optional<TimingModel> durations_;
    std::unique_ptr<DecodedTicks> decoded_ticks_;
    std::unique_ptr<RegionNesting> nesting_;
};

}  // namespace tracefold
