// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/csv_table.hpp"
#include "base/types.hpp"
#include "collection/signature.hpp"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

// clang-format off
/// The fields of a trace in a list, X(name, type, unit): docs/reference/list.md defines them.
// A change needs a new version of indexes (trace_index.cpp).
#define TRACEFOLD_TRACE_FIELDS(X)                                                               \
    X(file, text, none) X(program, text, none) X(ranks, whole, count) X(threads, whole, count)  \
    X(steps, whole, count) X(duration, real, seconds) X(efficiency, real, share)                \
    X(imbalance, real, share) X(dependences, real, share) X(transfer, real, share)              \
    X(first_cause, text, none) X(machine, text, none) X(nodes, whole, count)                    \
    X(date, text, none) X(size, whole, bytes) X(events, whole, count) X(format, text, none)     \
    X(distance, real, none) X(state, text, none)
// clang-format on

namespace tracefold {

enum class TraceField : u8 {
#define TRACEFOLD_ENUMERATOR(name, type, unit) name,
    TRACEFOLD_TRACE_FIELDS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

enum class FieldUnit : u8 { none, count, seconds, bytes, share };

struct TraceFieldInfo {
    std::string_view name;
    TableColumn::Type type{};
    FieldUnit unit{};
};

/// By TraceField.
inline constexpr TraceFieldInfo kTraceFields[] = {
#define TRACEFOLD_INFO(name, type, unit) {#name, TableColumn::Type::type, FieldUnit::unit},
    TRACEFOLD_TRACE_FIELDS(TRACEFOLD_INFO)
#undef TRACEFOLD_INFO
};

/// A text, a whole number or a real one, by TraceFieldInfo::type; none if it is not known.
using FieldValue = std::variant<std::monostate, std::string, u64, double>;

/// Identifies the content of a file without reading it; of an archive, of all its files together.
struct FileStamp {
    u64 size = 0;
    u64 modified = 0;  ///< nanoseconds; of an archive, the latest
    u64 changed = 0;   ///< nanoseconds, of the inode; of an archive, the latest
    u64 inode = 0;     ///< of an archive: the number of files

    bool operator==(const FileStamp&) const = default;
};

/// One trace of a list.
struct TraceRecord {
    FileStamp stamp;
    bool is_deep = false;    ///< read with TraceReading::deep
    bool is_settled = true;  ///< false: an attempt to read the unchanged file again may succeed
    std::array<FieldValue, std::size(kTraceFields)> values;
    std::optional<StructureSignature> signature;  ///< none if the structure was not read

    [[nodiscard]] const FieldValue& operator[](TraceField field) const {
        return values[static_cast<std::size_t>(field)];
    }
    FieldValue& operator[](TraceField field) { return values[static_cast<std::size_t>(field)]; }
    bool operator==(const TraceRecord&) const = default;
};

/// How much of a trace is read.
struct TraceReading {
    /// Also steps and efficiency, which unwind the trace; archives are folded for the time being.
    bool deep = false;
    std::string scratch;   ///< folder for folded archives
    std::string producer;  ///< of folded archives
};

/// Reads the fields of a folded file, or of an archive by its anchor; not `file`, `size` and
/// `distance`. Errors of the trace become its `state`. Cost: that of opening a file, or of an
/// archive the global definitions and a few events; with `deep`, that of trace_efficiency() and
/// find_program_steps().
TraceRecord read_trace_record(const std::string& path, const TraceReading& reading);

/// The structure of a folded file or, folded for the time being, of an archive. Throws Error.
StructureSignature read_signature(const std::string& path, const TraceReading& reading);

}  // namespace tracefold
