// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

namespace tracefold::inline mpi_calls {

/// By what a record of one location is recognised before its element is known: records with equal
/// keys have equal elements.
using RecordKey = u64;

/// Of records that have no key; never found.
inline constexpr RecordKey kNoKey = ~RecordKey{0};

/// `detail` is what the element depends on besides the type. Precondition: detail is below 2^56.
constexpr RecordKey make_key(u8 type, u64 detail) { return detail << 8U | type; }

}  // namespace tracefold::inline mpi_calls
