// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/printable.hpp"

#include "core/types.hpp"
#include "core/utf8.hpp"

#include <algorithm>
#include <array>

namespace tracefold::inline core {

namespace {

struct Range {
    char32_t first;
    char32_t last;
};

constexpr std::array kUnprintable = {
    Range{0x0000, 0x001F}, Range{0x007F, 0x009F},  // controls
    Range{0x061C, 0x061C}, Range{0x200E, 0x200F},  // marks of direction
    Range{0x2028, 0x2029},                         // separators
    Range{0x202A, 0x202E}, Range{0x2066, 0x2069},  // embeddings, overrides, isolates
    Range{0xFEFF, 0xFEFF},                         // byte order mark
};

}  // namespace

char32_t code_point(std::string_view sequence) {
    constexpr std::array<u8, 5> kLeadBits = {0, 0x7F, 0x1F, 0x0F, 0x07};
    char32_t code = static_cast<u8>(sequence.front()) & kLeadBits[sequence.size()];
    for (const char byte : sequence.substr(1)) code = code << 6U | (static_cast<u8>(byte) & 0x3FU);
    return code;
}

bool is_unprintable(std::string_view sequence) {
    const char32_t code = code_point(sequence);
    return std::ranges::any_of(kUnprintable, [code](const Range& range) {
        return range.first <= code && code <= range.last;
    });
}

std::string printable(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = utf8_sequence(text);
        const std::string_view sequence = text.substr(0, length);
        if (length == 0 || is_unprintable(sequence)) {
            result += '?';
        } else {
            result += sequence;
        }
        text.remove_prefix(length == 0 ? 1 : length);
    }
    return result;
}

}  // namespace tracefold::inline core
