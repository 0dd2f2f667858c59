// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "support/random_source.hpp"
#include "support/record_builder.hpp"

namespace tracefold {

/// Mapping tables of some kinds: sparse, not injective, not onto.
MappingTables random_tables(RandomSource& random);

/// Records of all event types with any values and attributes: requests that were never created,
/// regions that never end, unknown communicators. Each value has the width of its field in OTF2.
RecordBatch random_events(RandomSource& random, u64 count);

/// What an MPI program of `ranks` processes may record on one of them: loops over calls that
/// message, wait in any order, cancel, restart, communicate collectively; user regions around.
RecordBatch random_program_events(RandomSource& random, u32 ranks, u32 rank);

/// Definition records of all types of a stream with any values.
RecordBatch random_definitions(RandomSource& random, Stream stream, u64 count);

}  // namespace tracefold
