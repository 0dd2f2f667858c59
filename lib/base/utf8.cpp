// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/utf8.hpp"

#include "base/types.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

u32 byte_at(std::string_view text, std::size_t index) { return static_cast<u8>(text[index]); }

bool is_continuation(u32 byte) { return (byte & 0xC0U) == 0x80U; }

std::size_t length_from_lead(u32 lead) {
    if (lead < 0x80U) return 1;
    if (lead >= 0xC2U && lead < 0xE0U) return 2;
    if (lead >= 0xE0U && lead < 0xF0U) return 3;
    if (lead >= 0xF0U && lead < 0xF5U) return 4;
    return 0;
}

// Checks the second byte, which excludes overlong forms, surrogates and values above U+10FFFF.
bool second_byte_fits(u32 lead, u32 second) {
    if (lead == 0xE0U) return second >= 0xA0U;
    if (lead == 0xEDU) return second < 0xA0U;
    if (lead == 0xF0U) return second >= 0x90U;
    if (lead == 0xF4U) return second < 0x90U;
    return true;
}

struct Range {
    char32_t first;
    char32_t last;
};

constexpr std::array kUnprintable = {
    Range{0x0000, 0x001F}, Range{0x007F, 0x009F},  // controls
    Range{0x061C, 0x061C}, Range{0x200E, 0x200F},  // bidirectional marks
    Range{0x2028, 0x2029},                         // separators
    Range{0x202A, 0x202E}, Range{0x2066, 0x2069},  // embeddings, overrides, isolates
    Range{0xFEFF, 0xFEFF},                         // byte order mark
};

}  // namespace

std::size_t utf8_sequence(std::string_view text) {
    if (text.empty()) return 0;
    const u32 lead = byte_at(text, 0);
    const std::size_t length = length_from_lead(lead);
    if (length > text.size()) return 0;
    for (std::size_t i = 1; i < length; ++i) {
        if (!is_continuation(byte_at(text, i))) return 0;
    }
    if (length > 1 && !second_byte_fits(lead, byte_at(text, 1))) return 0;
    return length;
}

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
    if (std::ranges::all_of(text, [](char byte) { return byte >= ' ' && byte <= '~'; })) {
        return std::string(text);
    }
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

}  // namespace tracefold
