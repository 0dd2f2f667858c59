// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace tracefold {

using i16 = std::int16_t;
using i32 = std::int32_t;

/// Numbers below 2^15 that are worked on together; Size is 8 or 16.
template <std::size_t Size>
using Lanes = std::array<u16, Size>;

/// from + floor((to - from) * weight / 2^16). In 32 bits throughout: GCC spills 16 bits and reloads
/// 32, for which the store cannot be forwarded to the load.
inline u32 blend(u32 from, u32 to, i32 weight) {
    const i32 way = static_cast<i32>(to) - static_cast<i32>(from);
    return from + static_cast<u32>((way * weight) >> 16);
}

/// The meaning of blend() and last_at_most(), for every processor. On x86-64 they are written out
/// below, as compilers do not find the instructions reliably; the tests compare both.
namespace portable {

/// The same in every lane.
template <std::size_t Size>
Lanes<Size> blend(const Lanes<Size>& from, const Lanes<Size>& to, i16 weight) {
    Lanes<Size> result;
    for (std::size_t i = 0; i < Size; ++i) {
        result[i] = static_cast<u16>(tracefold::blend(u32{from[i]}, u32{to[i]}, i32{weight}));
    }
    return result;
}

/// The last lane that is at most `bound`. The lanes rise and the first is 0.
template <std::size_t Size>
std::size_t last_at_most(const Lanes<Size>& lanes, u16 bound) {
    std::size_t count = 0;
    for (const u16 lane : lanes) count += lane <= bound ? 1 : 0;
    return count - 1;
}

}  // namespace portable

#if defined(__SSE2__)

namespace sse2 {

inline __m128i load(const u16* lanes) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(lanes));
}

template <std::size_t Size>
Lanes<Size> blend(const Lanes<Size>& from, const Lanes<Size>& to, i16 weight) {
    Lanes<Size> result;
    const __m128i factor = _mm_set1_epi16(weight);
    for (std::size_t i = 0; i < Size; i += 8) {
        const __m128i start = load(&from[i]);
        const __m128i way = _mm_sub_epi16(load(&to[i]), start);
        _mm_storeu_si128(reinterpret_cast<__m128i*>(&result[i]),
                         _mm_add_epi16(start, _mm_mulhi_epi16(way, factor)));
    }
    return result;
}

template <std::size_t Size>
std::size_t last_at_most(const Lanes<Size>& lanes, u16 bound) {
    static_assert(Size == 8 || Size == 16);
    const __m128i limit = _mm_set1_epi16(static_cast<i16>(bound));
    const __m128i low = _mm_cmpgt_epi16(load(lanes.data()), limit);
    const __m128i high = _mm_cmpgt_epi16(load(&lanes[Size - 8]), limit);
    // One bit per lane; if no lane is above, the bit after the last one stops the search.
    const auto above = static_cast<unsigned>(_mm_movemask_epi8(_mm_packs_epi16(low, high)));
    return static_cast<std::size_t>(std::countr_zero(above | (1U << Size))) - 1;
}

}  // namespace sse2

using sse2::blend;
using sse2::last_at_most;

#else

using portable::blend;
using portable::last_at_most;

#endif

}  // namespace tracefold
