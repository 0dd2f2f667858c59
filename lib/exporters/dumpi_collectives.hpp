// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/dumpi_file.hpp"
#include "schedules/exchange.hpp"

namespace tracefold {

/// The function that stands for a collective operation. Precondition: is_communication(kind).
DumpiFunction dumpi_function(CollectiveKind kind);

/// Writes the arguments of a member's call, sizes as bytes. Precondition: no sum of sizes is above
/// Elements::kLargestCount, and the operation is one of a single group.
void put_dumpi_arguments(const Exchange& exchange, u32 member, u16 comm, DumpiFile& out);

}  // namespace tracefold
