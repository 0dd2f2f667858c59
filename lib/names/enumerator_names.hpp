// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/collective_kind.hpp"

#include <string>
#include <string_view>

namespace tracefold {

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

}  // namespace tracefold
