// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.hpp"

#include "core/types.hpp"
#include "core/utf8.hpp"

#include <algorithm>

namespace tracefold {
namespace {

std::size_t step(std::string_view text) {
    const std::size_t length = utf8_sequence(text);
    return length == 0 ? 1 : length;
}

}  // namespace

std::size_t display_width(std::string_view text) {
    std::size_t width = 0;
    for (; !text.empty(); text.remove_prefix(step(text))) ++width;
    return width;
}

std::string_view fit(std::string_view text, std::size_t width) {
    std::size_t bytes = 0;
    for (; width > 0 && bytes < text.size(); --width) bytes += step(text.substr(bytes));
    return text.substr(0, bytes);
}

std::string wrap(std::string_view text, std::size_t width) {
    std::string result;
    std::size_t line = 0;
    while (!text.empty()) {
        const std::string_view word = text.substr(0, text.find(' '));
        text.remove_prefix(std::min(word.size() + 1, text.size()));
        const std::size_t length = display_width(word);
        const bool fits = line + 1 + length <= width;
        if (!result.empty()) result += fits ? ' ' : '\n';
        line = fits && !result.empty() ? line + 1 + length : length;
        result += word;
    }
    return result;
}

std::string markup_text(std::string_view text) {
    std::string result;
    for (const char character : printable(text)) {
        switch (character) {
            case '&':
                result += "&amp;";
                break;
            case '<':
                result += "&lt;";
                break;
            case '>':
                result += "&gt;";
                break;
            case '"':
                result += "&quot;";
                break;
            default:
                result += character;
        }
    }
    return result;
}

}  // namespace tracefold
