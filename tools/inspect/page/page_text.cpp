// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/page_text.hpp"

#include "common/text.hpp"
#include "model/time_use.hpp"

#include <fmt/core.h>

namespace tracefold {

/// The files in web/, embedded at build time.
extern const std::string_view kInteractivePage;
extern const std::string_view kInteractiveStyle;
extern const std::string_view kInteractiveScript;

namespace {

/// Escapes JSON for a script element.
void put_within_script(std::string_view json, std::string& page) {
    for (;;) {
        const std::size_t at = json.find('<');
        page += json.substr(0, at);
        if (at == std::string_view::npos) return;
        page += "\\u003c";
        json.remove_prefix(at + 1);
    }
}

/// The colours of activities as variables of the style sheet.
std::string colour_style() {
    std::string light = ":root {";
    std::string dark = ":root.dark {";
    for (std::size_t use = 0; use < kTimeUses; ++use) {
        const TimeUseInfo& info = time_use_info(static_cast<TimeUse>(use));
        light += fmt::format(" --use{}: {};", use, info.light);
        dark += fmt::format(" --use{}: {};", use, info.dark);
    }
    return light + " }\n" + dark + " }\n";
}

}  // namespace

std::string page_text(std::string_view title, std::string_view data, bool served) {
    std::string page;
    page.reserve(kInteractivePage.size() + kInteractiveStyle.size() + kInteractiveScript.size() +
                 data.size() + data.size() / 8 + title.size());
    std::string_view rest = kInteractivePage;
    const auto put_until = [&](std::string_view mark) {
        const std::size_t at = rest.find(mark);
        page += rest.substr(0, at);
        rest.remove_prefix(at + mark.size());
    };
    put_until("{{CONNECT}}");
    page += served ? "'self'" : "'none'";
    put_until("{{TITLE}}");
    page += markup_text(std::string(title));
    put_until("/*{{STYLE}}*/");
    page += colour_style();
    page += kInteractiveStyle;
    put_until("{{DATA}}");
    put_within_script(data, page);
    put_until("/*{{SCRIPT}}*/");
    page += kInteractiveScript;
    page += rest;
    return page;
}

}  // namespace tracefold
