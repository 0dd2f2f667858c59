// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/report/sections.hpp"
#include "inspect/report/text_console.hpp"

#include <sstream>

namespace tracefold {

void put_profile(ReportPage& page, const SharedParts& parts) {
    page.begin("Call paths", "profile");
    page.note(
        "How often every call path was taken, how long it took on all locations together, "
        "and what it sent and received.");
    TextConsole text;
    print_profile(parts.profile, text.console());
    page.preformatted(text.text());
    std::ostringstream csv;
    write_profile_csv(parts.profile, csv);
    page.data("profile.csv", csv.str());
    page.end();
    page.explain("inclusive", "Of a call path with all that it calls.");
    page.explain("exclusive", "Of a call path alone, without what it calls.");
    page.explain("visits", "How often a call path was entered.");
}

}  // namespace tracefold
