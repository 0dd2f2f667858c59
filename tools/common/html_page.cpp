// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/html_page.hpp"

#include "common/text.hpp"

namespace tracefold {

/// page.css, embedded at build time.
extern const std::string_view kPageStyle;

namespace {

/// Skips the licence comment.
std::string_view style_sheet() { return kPageStyle.substr(kPageStyle.find("*/\n") + 2); }

}  // namespace

void begin_page(std::ostream& out, std::string_view title) {
    out << "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        << "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'\">\n"
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

void begin_chart(std::ostream& out, std::string_view title, int height, int width) {
    out << "<svg viewBox=\"0 0 " << width << ' ' << height << "\" role=\"img\"><title>"
        << markup_text(title) << "</title>\n";
}

void put_chart_text(std::ostream& out, double x, double y, std::string_view anchor,
                    std::string_view text, std::string_view style) {
    out << "<text x=\"" << x << "\" y=\"" << y << "\" text-anchor=\"" << anchor << '"';
    if (!style.empty()) out << " class=\"" << style << '"';
    out << '>' << markup_text(text) << "</text>\n";
}

void put_chart_box(std::ostream& out, const ChartBox& box, std::string_view style,
                   std::string_view tip, double opacity) {
    out << "<rect x=\"" << box.x << "\" y=\"" << box.y << "\" width=\"" << box.width
        << "\" height=\"" << box.height << "\" class=\"" << style << '"';
    if (opacity < 1) out << " opacity=\"" << opacity << '"';
    out << "><title>" << markup_text(tip) << "</title></rect>\n";
}

}  // namespace tracefold
