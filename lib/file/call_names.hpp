// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/flat_map.hpp"
#include "file/trace_file.hpp"
#include "fold/structure_index.hpp"
#include "model/definition_names.hpp"
#include "model/record_fields.hpp"
#include "model/record_kinds.hpp"
#include "model/symbol.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
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

/// Global ids by location, for ids that columns hold as recorded (communicators, windows, handles,
/// metrics, ...; not those with a ReferenceCode). An id is looked up once for all locations that
/// give it the same meaning. Not thread-safe.
class LocalIds {
  public:
    /// The file must outlive this object.
    explicit LocalIds(TraceFile& file) : file_(file) {}

    /// Returns the global id; the same id without an entry.
    u64 global(FieldKind kind, u64 raw, u32 location);

  private:
    struct Meanings {
        std::vector<u32> classes;                 ///< by location
        FlatMap<u32, u64, NumberHash> global_of;  ///< by class
    };

    TraceFile& file_;
    std::map<std::pair<FieldKind, u64>, Meanings> known_;
};

/// All look-ups for a listing of a file; the file must outlive it. Not thread-safe.
class ListingSource {
  public:
    explicit ListingSource(TraceFile& file);

    [[nodiscard]] const Structure& structure() const { return file_.structure(); }
    [[nodiscard]] const DefinitionIndex& definitions() const { return file_.definitions(); }
    /// Cost: all global definitions, once.
    const DefinitionNames& names();
    LocalIds& local_ids() { return local_ids_; }
    StructureIndex& index() { return file_.index(); }
    TraceFile& file() { return file_; }
    ExecutionCounts& counts() { return counts_; }
    CallNames& calls() { return calls_; }

  private:
    TraceFile& file_;
    std::optional<DefinitionNames> names_;
    LocalIds local_ids_;
    ExecutionCounts counts_;
    CallNames calls_;
};

}  // namespace tracefold
