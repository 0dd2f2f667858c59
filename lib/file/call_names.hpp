// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/region_nesting.hpp"
#include "file/trace_file.hpp"
#include "fold/structure_index.hpp"
#include "model/definition_names.hpp"
#include "model/record_batch.hpp"
#include "model/record_fields.hpp"
#include "model/record_kinds.hpp"
#include "model/symbol.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What a symbol is, seen from its first record.
enum class CallKind : u8 {
    call,    ///< a region with all that happens in it: an MPI call, a leaf function
    enter,   ///< the beginning of a region that holds other symbols
    leave,   ///< its end
    record,  ///< anything else
};

CallKind call_kind(const Symbol& symbol);

/// "call", "enter", "leave", "record".
std::string_view kind_name(CallKind kind);

/// What a field of an event is called where people read it: "to" for "receiver".
std::string_view short_field_name(std::string_view field);

/// "MPI_Send", or "region 7" if it has no name.
std::string region_text(const DefinitionIndex& definitions, u64 region);

/// The regions and references that stand in the symbols of a file's events. The file and the counts
/// must outlive this object.
class CallNames {
  public:
    CallNames(TraceFile& file, const ExecutionCounts& counts) : file_(file), counts_(counts) {}

    /// The region that an element enters or leaves: its global id and its name. Precondition:
    /// is_enter() or is_leave().
    u64 region_id(u32 symbol, const Element& element);
    std::string region(u32 symbol, const Element& element);

    /// What people call a symbol: its region, else its record; "Completions": requests that end.
    /// Precondition: the symbol has records.
    std::string name(u32 symbol);

    /// The global id behind a code that stands in the symbol or one of its columns.
    u64 global(u32 symbol, FieldKind kind, ReferenceCode code);

  private:
    TraceFile& file_;
    const ExecutionCounts& counts_;
};

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
