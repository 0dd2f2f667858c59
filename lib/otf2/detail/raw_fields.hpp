// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/detail/raw_bytes.hpp"
#include "otf2/detail/values.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <type_traits>
#include <utility>

// The fields of records as OTF2 stores them, in the byte order of this machine. Callers have so
// many readable bytes behind a chunk that no field has to be checked before it is taken.
namespace tracefold::otf2 {

inline bool is_native(const ChunkHeader& header) {
    return header.little_endian == (std::endian::native == std::endian::little);
}

/// The eight bytes from `at` on.
inline u64 load(const u8* at) {
    u64 bits = 0;
    std::memcpy(&bits, at, sizeof(bits));
    return bits;
}

/// The bits of the first `size` bytes.
inline constexpr auto kBitsOf = [] {
    std::array<u64, 9> bits{};
    for (std::size_t size = 1; size < bits.size(); ++size) bits[size] = bits[size - 1] << 8 | 0xFF;
    return bits;
}();

/// A number of eight bytes, as times are stored.
struct WholeNumber {};

// Each takes a field of type T from `at` on and returns where the next one begins, null if libotf2
// refuses the field.

/// A number of at most `most` bytes.
inline const u8* take_number(std::size_t most, const u8* at, u64& value) {
    const u8 size = *at++;
    if (size <= most) [[likely]] {
        value = load(at) & kBitsOf[size];
        return at + size;
    }
    value = kBitsOf[most];
    return size == kUndefinedSize ? at : nullptr;
}

template <class T>
const u8* take(const u8* at, u64& value) {
    if constexpr (std::is_same_v<T, WholeNumber>) {
        value = load(at);
        return at + sizeof(u64);
    } else if constexpr (sizeof(T) == 1) {
        value = to_u64(static_cast<T>(*at));
        return at + 1;
    } else {
        at = take_number(sizeof(T), at, value);
        value = to_u64(static_cast<T>(value));
        return at;
    }
}

template <class... Fields>
[[gnu::flatten]] const u8* take_fields(const u8* at, [[maybe_unused]] u64* values) {
    [&]<std::size_t... kIndex>(std::index_sequence<kIndex...>) {
        ((at = at == nullptr ? nullptr : take<Fields>(at, values[kIndex])), ...);
    }
    (std::index_sequence_for<Fields...>{});
    return at;
}

/// The part of a record after its length.
struct Body {
    const u8* begin;
    const u8* end;  ///< null if the record does not end in the chunk
};

inline Body body_at(const u8* at, const u8* end_of_chunk) {
    u64 length = *at++;
    if (length == kLongLength) {
        length = load(at);
        at += sizeof(u64);
    }
    if (at >= end_of_chunk || length >= static_cast<u64>(end_of_chunk - at)) return {at, nullptr};
    return {at, at + length};
}

}  // namespace tracefold::otf2
