// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
/**
 * @file
 * @brief Included before everything else on big-endian processors (TracefoldByteOrder.cmake).
 *
 * libstdc++ 12.2 and 13.2 compare ranges of unsigned numbers there by memcmp over as many bytes as
 * there are numbers (GCC bug 113960), so that `<` of two std::vector<std::uint32_t> looks at a
 * quarter of them. This says that only bytes may be compared so, which is true of every release.
 */
#pragma once
#include <bits/cpp_type_traits.h>

namespace std {

template <typename Number>
requires(sizeof(Number) >
         1) struct __is_memcmp_ordered<Number, true> {  // NOLINT(bugprone-reserved-identifier)
    static constexpr bool __value = false;              // NOLINT(bugprone-reserved-identifier)
};

}  // namespace std
