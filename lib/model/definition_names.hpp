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

/// What definitions of every kind are called. Memory: linear in the definitions with a name of
/// their own, without the characters.
class TRACEFOLD_API DefinitionNames {
  public:
    /// `strings` must outlive this object and know all strings when names are asked for.
    explicit DefinitionNames(const DefinitionIndex& strings) : strings_(strings) {}

    /// Feeds global definitions in source order.
    void add(const RecordBatch& batch);

    /// The name: a calling context's is that of its region, an I/O handle's without one that of its
    /// file, a metric's the list of its members. Empty if there is none.
    [[nodiscard]] std::string name(FieldKind kind, u64 id) const;

    /// The name, or else the number: "#5".
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
    std::unordered_map<u8, Definitions> definitions_;  ///< by FieldKind: where the name stands
};

/// OTF2's enumerations, as far as people are shown them.
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

/// The enumeration of a field of kind `enumeration` or `op` of an event.
Enumeration enumeration_of(std::string_view record, std::string_view field);

/// OTF2's name of a value in lower case ("allreduce", "create+truncate"), the number where there is
/// none.
std::string enumerator_name(Enumeration enumeration, u64 value);

/// "allreduce".
inline std::string enumerator_name(CollectiveKind kind) {
    return enumerator_name(Enumeration::collective_op, static_cast<u64>(kind));
}

/// OTF2's name of a special rank or root ("none", "self", "this_group"), empty for ordinary ranks.
std::string_view special_rank_name(u64 rank);

/// A value of an OTF2_Type: numbers as such, references as numbers.
std::string typed_value_text(u8 type, u64 bits);

/// True for names that say nothing about a program, a machine or a person: those of MPI and other
/// standards, and what recorders write into every trace ("Master thread", "MPI Rank 17"). It is the
/// built-in dictionary, functions of MPI in any spelling, and hardware counters of PAPI.
bool is_vocabulary(std::string_view name);

}  // namespace tracefold
