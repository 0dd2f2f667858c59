// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/html_page.hpp"

#include "common/text.hpp"

#include <cctype>
#include <cstring>

namespace tracefold {

/// page.css, embedded when the tools are built.
extern const std::string_view kPageStyle;

namespace {

/// Without the comment that says whose file it is.
std::string_view style_sheet() { return kPageStyle.substr(kPageStyle.find("*/\n") + 2); }

/// Percent-encoded for a data URL within an attribute.
void put_encoded(std::ostream& out, std::string_view text) {
    static constexpr char kHex[] = "0123456789ABCDEF";
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        const bool plain = std::isalnum(byte) != 0 || (c != 0 && std::strchr("-_.~,:;/()@+=", c));
        if (plain) {
            out << c;
        } else {
            out << '%' << kHex[byte >> 4U] << kHex[byte & 15U];
        }
    }
}

}  // namespace

void begin_page(std::ostream& out, std::string_view title) {
    out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        << "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>"
        << markup_text(title) << "</title>\n<style>" << style_sheet()
        << "</style>\n</head>\n<body>\n";
}

void end_page(std::ostream& out) { out << "</body>\n</html>\n"; }

void begin_section(std::ostream& out, std::string_view title, std::string_view id) {
    out << "<section";
    if (!id.empty()) out << " id=\"" << id << '"';
    out << ">\n<h2>" << markup_text(title) << "</h2>\n";
}

void put_row(std::ostream& out, std::string_view tag, const std::vector<std::string>& cells) {
    out << "<tr>";
    for (const std::string& cell : cells) {
        out << '<' << tag << '>' << markup_text(cell) << "</" << tag << '>';
    }
    out << "</tr>\n";
}

void put_download(std::ostream& out, std::string_view name, std::string_view text) {
    out << "<a class=\"download\" download=\"" << markup_text(name)
        << "\" href=\"data:text/csv;charset=utf-8,";
    put_encoded(out, text);
    out << "\">" << markup_text(name) << "</a>\n";
}

}  // namespace tracefold
