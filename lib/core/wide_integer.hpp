// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace tracefold {

/// For products and sums of 64-bit numbers that must not wrap around.
__extension__ using u128 = unsigned __int128;

}  // namespace tracefold
