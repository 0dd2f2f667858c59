// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "proxy/proxy_call_reader.hpp"
#include "proxy/proxy_model.hpp"

namespace tracefold {

/// Which calls are the same when the calls of a rank are folded.
enum class SameCalls : u8 {
    by_function,
    by_tag,  ///< messages of one function with different tags are different calls
};

/// Folds the calls of all ranks, unites what ranks have in common, and gives each place the
/// arguments of all ranks. Memory: the folded program of all ranks. Cost: reads the calls twice,
/// about a microsecond each. Throws Error: corrupt; unsupported if the program would be too long
/// for a compiler.
ProxyModel build_proxy_model(ProxyCallReader& calls, SameCalls same);

}  // namespace tracefold
