// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/execution_counts.hpp"
#include "model/record_kinds.hpp"
#include "model/symbol.hpp"
#include "trace/trace_file.hpp"

#include <optional>
#include <string>
#include <string_view>
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

}  // namespace tracefold
