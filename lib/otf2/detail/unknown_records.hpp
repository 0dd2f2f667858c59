// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/symbol.hpp"

#include <string>

namespace tracefold::otf2 {

/// Says which records of a file libotf2 does not know, and what helps: "4 records of type 89
/// (MpiProbe) and 2 of type 120, which libotf2 here does not know; install ...". libotf2 itself
/// tells no more than their number. Reads the file once; throws Error `io` if it cannot.
std::string describe_unknown_records(const std::string& path, Stream stream, u64 chunk_size,
                                     const std::string& what);

}  // namespace tracefold::otf2
