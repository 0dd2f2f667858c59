// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/base64.hpp"

#include "core/types.hpp"

namespace tracefold {

std::string base64(std::string_view bytes) {
    static constexpr std::string_view kLetters =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    std::string text;
    text.reserve((bytes.size() + 2) / 3 * 4);
    for (std::size_t i = 0; i < bytes.size(); i += 3) {
        u32 three = 0;
        for (std::size_t j = 0; j < 3; ++j) {
            three = three << 8U | (i + j < bytes.size() ? static_cast<u8>(bytes[i + j]) : 0U);
        }
        for (std::size_t j = 0; j < 4; ++j) {
            const bool beyond = i + j > bytes.size();
            text += beyond ? '=' : kLetters[three >> (18 - 6 * j) & 63U];
        }
    }
    return text;
}

}  // namespace tracefold
