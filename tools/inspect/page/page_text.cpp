// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/page_text.hpp"

#include "common/text.hpp"

namespace tracefold {

/// The files in web/, embedded when the tools are built.
extern const std::string_view kInteractivePage;
extern const std::string_view kInteractiveStyle;
extern const std::string_view kInteractiveScript;

namespace {

/// JSON that may stand within a script element: nothing in it ends the element.
std::string within_script(std::string_view json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) {
        if (c == '<') {
            safe += "\\u003c";
        } else {
            safe += c;
        }
    }
    return safe;
}

}  // namespace

std::string page_text(std::string_view title, std::string_view data) {
    std::string page;
    std::string_view rest = kInteractivePage;
    const auto put_until = [&](std::string_view mark, std::string_view content) {
        const std::size_t at = rest.find(mark);
        page += rest.substr(0, at);
        page += content;
        rest.remove_prefix(at + mark.size());
    };
    put_until("{{TITLE}}", markup_text(std::string(title)));
    put_until("/*{{STYLE}}*/", kInteractiveStyle);
    put_until("{{DATA}}", within_script(data));
    put_until("/*{{SCRIPT}}*/", kInteractiveScript);
    page += rest;
    return page;
}

}  // namespace tracefold
