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
#include "model/definition_table.hpp"
#include "model/structure.hpp"
#include "model/timing_model.hpp"

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

namespace tracefold {

/// Folded global definitions: a structure with one location, and the strings' characters.
struct FoldedDefinitions {
    Structure structure;
    std::string text;
};

/// Folds global definitions. `read` passes all batches to its argument, in order; `events` returns
/// the numbers of events read; `dictionary` is that of the file.
FoldedDefinitions fold_definitions(const std::function<void(const BatchSink&)>& read,
                                   EventCounts events, const Dictionary& dictionary);

/// Folds the local definitions of a location into the store. `read` passes all batches to its
/// argument, in order. Returns the number of records.
u64 fold_local_definitions(StructureStore& store, u32 location,
                           const std::function<void(const BatchSink&)>& read);

/// The definitions of one location, or the global ones, of a folded structure as records. Throws
/// Error(corrupt) beyond `expected` records. The arguments must outlive the source.
std::unique_ptr<RecordSource> definition_source(StructureIndex& index, Stream stream, u32 location,
                                                const std::string& text, u64 expected,
                                                const Dictionary& dictionary,
                                                EventCounts events = {});

class DecodedTicks;
class RegionNesting;

/// An open .tfold file: everything but the times is loaded, records are unwound on demand. Throws
/// Error: io, corrupt, unsupported. Thread-safe.
class TRACEFOLD_API TraceFile {
  public:
    /// Messages name the file by its path, or by `name`. Up to `threads` threads decode sections.
    explicit TraceFile(const std::string& path, const std::string& name = "", u32 threads = 1);
    /// Shares an open file, so that several of these are of the same content.
    explicit TraceFile(std::shared_ptr<const InputFile> file, const std::string& name = "",
                       u32 threads = 1);
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;
    ~TraceFile();

    /// Caches decoded exact times (DecodedTicks) from now on, which pays if locations are read
    /// repeatedly. Memory: at most `most_bytes`; by default eight times the size of the file, and
    /// at most 64 MiB. Call before other threads use the file.
    void keep_decoded_ticks(std::optional<u64> most_bytes = std::nullopt);
    /// Null if they are not cached.
    [[nodiscard]] DecodedTicks* decoded_ticks() { return decoded_ticks_.get(); }

    [[nodiscard]] const ContainerReader& container() const { return container_; }
    [[nodiscard]] const ArchiveInfo& archive() const { return head_.archive; }
    [[nodiscard]] const TraceSummary& summary() const { return head_.summary; }
    [[nodiscard]] const DefinitionIndex& definitions() const { return definitions_; }
    /// Decoded at first use. Precondition: summary().timing is histogram.
    const TimingModel& durations();
    /// The events of all locations.
    [[nodiscard]] const Structure& structure() const { return structure_; }
    StructureIndex& index() { return *index_; }
    [[nodiscard]] u32 location_count() const { return structure_.location_count; }

    /// Records in source order. Event times are those of the file (TickSource); without any, one
    /// tick per record from the trace's clock offset on. The file must outlive the sources.
    std::unique_ptr<RecordSource> global_definitions();
    std::unique_ptr<RecordSource> local_definitions(u32 location);
    std::unique_ptr<RecordSource> events(u32 location);

    /// The pairing of Leaves with Enters.
    RegionNesting& nesting() { return *nesting_; }

    /// Of the local definitions.
    StructureIndex& local_index() { return *local_definitions_index_; }
    /// Returns a number for each location, equal for those with the same local definitions of this
    /// type; numbered by first location. Computed at first use.
    const std::vector<u32>& local_classes(DefinitionType type);

    /// Locations with the same records of mapping tables share them.
    MappingTables mapping_tables(u32 location);

    /// The original files' checksum and differences; nothing if their bytes were not compared.
    [[nodiscard]] std::optional<ByteDifferences> kept_bytes() const;

    /// Passes companion and extra files, one at a time.
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
    std::mutex mapping_mutex_;
    std::map<DefinitionType, std::vector<u32>> local_classes_;
    std::map<std::vector<u64>, MappingTables> mapping_tables_;  ///< by their content's key
};

}  // namespace tracefold
