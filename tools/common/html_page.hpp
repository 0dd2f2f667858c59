// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Begins a self-contained page, with styles for light and dark screens and for print.
void begin_page(std::ostream& out, std::string_view title);
void end_page(std::ostream& out);

/// Opens a section; close it with "</section>".
void begin_section(std::ostream& out, std::string_view title);

/// A row of a table; `tag` is "th" or "td".
void put_row(std::ostream& out, std::string_view tag, const std::vector<std::string>& cells);

inline constexpr int kChartWidth = 900;
inline constexpr int kChartLabel = 90;  ///< width of labels left of a chart

/// Opens an inline SVG on a page of begin_page(), scaled to the available width; close it with
/// "</svg>". `title`: text for screen readers. Size: `width` x `height` units.
void begin_chart(std::ostream& out, std::string_view title, int height, int width = kChartWidth);

/// `anchor` is "start", "middle" or "end", `style` a class of the style sheet.
void put_chart_text(std::ostream& out, double x, double y, std::string_view anchor,
                    std::string_view text, std::string_view style = {});

struct ChartBox {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

/// A rectangle with the tooltip TIP.
void put_chart_box(std::ostream& out, const ChartBox& box, std::string_view style,
                   std::string_view tip, double opacity = 1);

}  // namespace tracefold
