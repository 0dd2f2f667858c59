// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/utf8.hpp"

#include "core/types.hpp"

namespace tracefold::inline core {
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

// The second byte decides on overlong forms, surrogates and values above U+10FFFF.
bool second_byte_fits(u32 lead, u32 second) {
    if (lead == 0xE0U) return second >= 0xA0U;
    if (lead == 0xEDU) return second < 0xA0U;
    if (lead == 0xF0U) return second >= 0x90U;
    if (lead == 0xF4U) return second < 0x90U;
    return true;
}

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

}  // namespace tracefold::inline core
