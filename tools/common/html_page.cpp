// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/html_page.hpp"

#include "common/text.hpp"

namespace tracefold {

/// page.css, embedded when the tools are built.
extern const std::string_view kPageStyle;

namespace {

/// Without the comment that says whose file it is.
std::string_view style_sheet() { return kPageStyle.substr(kPageStyle.find("*/\n") + 2); }

}  // namespace

void begin_page(std::ostream& out, std::string_view title) {
    out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        << markup_text(title) << "</title>\n<style>" << style_sheet()
        << "</style>\n</head>\n<body>\n";
}

void end_page(std::ostream& out) { out << "</body>\n</html>\n"; }

void begin_section(std::ostream& out, std::string_view title) {
    out << "<section>\n<h2>" << markup_text(title) << "</h2>\n";
}

void put_row(std::ostream& out, std::string_view tag, const std::vector<std::string>& cells) {
    out << "<tr>";
    for (const std::string& cell : cells) {
        out << '<' << tag << '>' << markup_text(cell) << "</" << tag << '>';
    }
    out << "</tr>\n";
}

}  // namespace tracefold
