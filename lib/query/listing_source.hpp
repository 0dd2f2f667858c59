// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/execution_counts.hpp"
#include "model/record_batch.hpp"
#include "model/record_fields.hpp"
#include "names/definition_names.hpp"
#include "query/call_names.hpp"
#include "trace/region_nesting.hpp"

#include <array>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// The mapping tables of all locations at once, for those ids that columns hold as they were
/// recorded (communicators, windows, handles, metrics, ...; not those with a ReferenceCode).
/// Locations in a row for which an id means the same take one entry.
class LocalIds {
  public:
    /// Takes the mapping tables among a location's local definitions. Locations rise from call to
    /// call.
    void add(u32 location, const RecordBatch& local_definitions);

    /// The global id; ids without an entry are global ones.
    [[nodiscard]] u64 global(FieldKind kind, u64 raw, u32 location) const;

  private:
    struct Run {
        u32 first;
        u32 last;
        u64 global;
    };
    using Table = std::unordered_map<u64, std::vector<Run>>;  ///< by raw id

    std::array<Table, kMappingKinds> tables_;
};

/// All look-ups that a listing of a file needs. Cost of construction: all global definitions and
/// the mapping tables of all locations. The file must outlive it.
class ListingSource {
  public:
    explicit ListingSource(TraceFile& file);

    [[nodiscard]] const Structure& structure() const { return file_.structure(); }
    [[nodiscard]] const DefinitionIndex& definitions() const { return file_.definitions(); }
    [[nodiscard]] const DefinitionNames& names() const { return names_; }
    [[nodiscard]] const LocalIds& local_ids() const { return local_ids_; }
    StructureIndex& index() { return file_.index(); }
    RegionNesting& nesting() { return file_.nesting(); }
    ExecutionCounts& counts() { return counts_; }
    CallNames& calls() { return calls_; }

  private:
    TraceFile& file_;
    DefinitionNames names_;
    LocalIds local_ids_;
    ExecutionCounts counts_;
    CallNames calls_;
};

}  // namespace tracefold
