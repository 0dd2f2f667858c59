// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <cstddef>
#include <cstring>

namespace tracefold {

/// Stores 16 bytes of numbers at once. Stores of single numbers cannot be forwarded to the load of
/// a vector that has several of them: it waits until all are in the cache.
template <class To, class... Numbers>
void store_together(To* to, Numbers... numbers) {
    static_assert(sizeof...(numbers) * sizeof(To) == 16);
#if defined(__GNUC__)
    typedef To Together __attribute__((vector_size(16)));
    const Together together = {numbers...};
    std::memcpy(to, &together, sizeof(together));
#else
    ((*to++ = numbers), ...);
#endif
}

}  // namespace tracefold
