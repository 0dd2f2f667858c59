// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/chart_parts.hpp"

#include "common/text.hpp"

namespace tracefold {

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
