// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <ostream>
#include <string_view>

namespace tracefold {

inline constexpr int kChartWidth = 900;
inline constexpr int kChartLabel = 90;  ///< width of what stands left of a chart

/// Opens an inline SVG on a page of begin_page(); "</svg>" closes it.
void begin_chart(std::ostream& out, std::string_view title, int height);

void put_chart_text(std::ostream& out, double x, double y, std::string_view anchor,
                    std::string_view text);

struct ChartBox {
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

/// A rectangle that tells TIP when it is pointed at.
void put_chart_box(std::ostream& out, const ChartBox& box, std::string_view style,
                   std::string_view tip, double opacity = 1);

}  // namespace tracefold
