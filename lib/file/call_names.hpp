// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

/// The kind of a symbol, from its first record.
enum class CallKind : u8 {
    call,    ///< a complete region: an MPI call, a leaf function
    enter,   ///< the enter of a region with nested symbols
    leave,   ///< the leave of such a region
    record,  ///< any other record
};

CallKind call_kind(const Symbol& symbol);

/// "call", "enter", "leave", "record".
std::string_view kind_name(CallKind kind);

/// The display name of an event field: "to" for "receiver".
std::string_view short_field_name(std::string_view field);

/// "MPI_Send", or "region 7" without a name.
std::string region_text(const DefinitionIndex& definitions, u64 region);

/// Names and references of a file's event symbols. The file and the counts must outlive this.
class CallNames {
  public:
    CallNames(TraceFile& file, const ExecutionCounts& counts) : file_(file), counts_(counts) {}

    /// Returns the global id of the region that an element enters or leaves. Precondition:
    /// is_enter() or is_leave().
    u64 region_id(u32 symbol, const Element& element);
    std::string region(u32 symbol, const Element& element);

    /// The display name of a symbol: its region, else its record; "Completions" for ended requests.
    /// Precondition: the symbol has records.
    std::string name(u32 symbol);

    /// Returns the global id of a code in the symbol or one of its columns.
    u64 global(u32 symbol, FieldKind kind, ReferenceCode code);

  private:
    TraceFile& file_;
    const ExecutionCounts& counts_;
};

/// The mapping tables of all locations, for ids that columns hold as recorded (communicators,
/// windows, handles, metrics, ...; not those with a ReferenceCode). Consecutive locations with the
/// same mapping of an id share an entry.
class LocalIds {
  public:
    /// Adds the mapping tables of a location. Call in ascending order of locations.
    void add(u32 location, const RecordBatch& local_definitions);

    /// Returns the global id; the same id without an entry.
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

/// All look-ups for a listing of a file. Cost of construction: all global definitions and the
/// mapping tables of all locations. The file must outlive it.
class ListingSource {
  public:
    explicit ListingSource(TraceFile& file);

    [[nodiscard]] const Structure& structure() const { return file_.structure(); }
    [[nodiscard]] const DefinitionIndex& definitions() const { return file_.definitions(); }
    [[nodiscard]] const DefinitionNames& names() const { return names_; }
    [[nodiscard]] const LocalIds& local_ids() const { return local_ids_; }
    StructureIndex& index() { return file_.index(); }
    TraceFile& file() { return file_; }
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
