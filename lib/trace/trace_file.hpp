// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/structure_index.hpp"
#include "format/archive_codec.hpp"
#include "format/container.hpp"
#include "format/kept_bytes.hpp"
#include "model/definition_index.hpp"
#include "model/timing_model.hpp"
#include "mpi_calls/mapping_tables.hpp"
#include "trace/definitions_io.hpp"
#include "trace/record_source.hpp"

#include <memory>
#include <optional>
#include <string>

namespace tracefold {

/// A .tfold file opened for reading: everything but the times is loaded, records are unwound on
/// demand. Throws Error: io, corrupt, unsupported. Not for concurrent use.
class TraceFile {
  public:
    /// Messages call the file by its path, or by `name`.
    explicit TraceFile(const std::string& path, const std::string& name = "");
    TraceFile(const TraceFile&) = delete;
    TraceFile& operator=(const TraceFile&) = delete;

    [[nodiscard]] const ContainerReader& container() const { return container_; }
    [[nodiscard]] const ArchiveInfo& archive() const { return head_.archive; }
    [[nodiscard]] const TraceSummary& summary() const { return head_.summary; }
    [[nodiscard]] const DefinitionIndex& definitions() const { return definitions_; }
    /// Decoded when they are asked for. Precondition: summary().timing is histogram.
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

    /// The mapping tables among a location's local definitions.
    MappingTables mapping_tables(u32 location);

    /// What is kept of the archive's files beside their records; nothing if there is no need.
    [[nodiscard]] KeptBytes kept_bytes() const;

    /// Companion and extra files carried along, one at a time.
    void read_files(const std::function<void(const CarriedFile&)>& sink) const;

  private:
    void index_definitions();
    void index_locations();

    ContainerReader container_;
    ArchiveHead head_;
    FoldedDefinitions folded_definitions_;
    std::unique_ptr<StructureIndex> definitions_index_;
    DefinitionIndex definitions_;
    Structure local_definitions_;
    std::unique_ptr<StructureIndex> local_definitions_index_;
    Structure structure_;
    std::unique_ptr<StructureIndex> index_;
    std::optional<TimingModel> durations_;
};

}  // namespace tracefold
