// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/cubex_xml.hpp"

namespace tracefold {

std::string xml_text(std::string_view text) {
    std::string safe;
    for (const char c : text) {
        switch (c) {
            case '&':
                safe += "&amp;";
                break;
            case '<':
                safe += "&lt;";
                break;
            case '>':
                safe += "&gt;";
                break;
            case '"':
                safe += "&quot;";
                break;
            default:
                safe += static_cast<u8>(c) < 0x20 ? '?' : c;
        }
    }
    return safe;
}

std::string xml_element(std::string_view tag, std::string_view text) {
    const std::string name(tag);
    return "<" + name + ">" + xml_text(text) + "</" + name + ">";
}

}  // namespace tracefold
