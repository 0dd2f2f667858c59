// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/definition_index.hpp"
#include "model/mpi_function.hpp"
#include "model/record_fields.hpp"

#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// Names of all definitions. Memory: linear in the named definitions, without the characters.
class TRACEFOLD_API DefinitionNames {
  public:
    /// `strings` must outlive this object and be complete before the first query.
    explicit DefinitionNames(const DefinitionIndex& strings) : strings_(strings) {}

    /// Adds global definitions in source order.
    void add(const RecordBatch& batch);

    /// Returns the name: of the region for a calling context, of the file for an I/O handle without
    /// a name, the list of members for a metric. Empty if there is none.
    [[nodiscard]] std::string name(FieldKind kind, u64 id) const;

    /// Returns the name, or the number: "#5".
    [[nodiscard]] std::string label(FieldKind kind, u64 id) const;

  private:
    struct Reference {
        FieldKind kind = FieldKind::string;
        u64 id = 0;
    };
    using Definitions = std::unordered_map<u64, std::vector<Reference>>;

    void add_record(const RecordBatch& batch, const RecordBatch::Head& head);
    [[nodiscard]] std::string name_at(FieldKind kind, u64 id, int depth) const;

    const DefinitionIndex& strings_;
    std::unordered_map<u8, Definitions> definitions_;  ///< by FieldKind
};

/// The OTF2 enumerations that outputs show by name.
enum class Enumeration : u8 {
    collective_op,
    lock_type,
    sync_type,
    sync_level,
    atomic_type,
    measurement_mode,
    access_mode,
    operation_mode,
    operation_flags,
    creation_flags,
    status_flags,
    whence,
    location_type,
    location_group_type,
    unknown,
};

/// Returns the enumeration of an event field of kind `enumeration` or `op`.
Enumeration enumeration_of(std::string_view record, std::string_view field);

/// OTF2's name of a value in lower case ("allreduce", "create+truncate"), or the number.
std::string enumerator_name(Enumeration enumeration, u64 value);

inline std::string enumerator_name(CollectiveKind kind) {
    return enumerator_name(Enumeration::collective_op, static_cast<u64>(kind));
}

/// OTF2's name of a special rank or root ("none", "self", "this_group"), "" for others.
std::string_view special_rank_name(u64 rank);

/// Formats a value of an OTF2_Type; references as numbers.
std::string typed_value_text(u8 type, u64 bits);

/// True for names that reveal nothing about a program, a machine or a person: the built-in
/// dictionary (names of standards and of every recorder, such as "Master thread", "MPI Rank 17"),
/// MPI functions in any spelling, and PAPI counters.
bool is_vocabulary(std::string_view name);

}  // namespace tracefold
