// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/units.hpp"
#include "inspect/matrix/sizes.hpp"
#include "inspect/svg.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr double kSizesLeft = 150;
constexpr double kLongestBar = 420;
constexpr double kSizesLine = 16;
constexpr double kBarsTop = 40;

/// Barriers and their like say nothing here.
bool is_drawn(const MessageSizes::Key& key, const SizeHistogram& histogram) {
    return histogram.bytes != 0 || key.kind != Transfer::Kind::collective;
}

/// Lines of the picture: a heading and the classes that occur.
std::size_t lines_of(const SizeHistogram& histogram) {
    const auto used = std::count_if(histogram.classes.begin(), histogram.classes.end(),
                                    [](const SizeHistogram::Class& part) { return part.count; });
    return static_cast<std::size_t>(used) + 2;
}

double draw_histogram(const MessageSizes::Key& key, const SizeHistogram& histogram, double y,
                      SvgWriter& svg) {
    std::string heading = key.call + ", " + std::string(transfer_name(key.kind)) + ", ";
    heading += std::string(side_text(key)) + ": " + format_count(histogram.count);
    if (key.side != MessageSizes::Side::per_peer) heading += ", " + format_size(histogram.bytes);
    svg.text(20, y, heading, 12);
    u64 most = 1;
    for (const SizeHistogram::Class& part : histogram.classes) most = std::max(most, part.count);
    for (std::size_t i = 0; i < SizeHistogram::kClasses; ++i) {
        const SizeHistogram::Class& part = histogram.classes[i];
        if (part.count == 0) continue;
        y += kSizesLine;
        const double share = static_cast<double>(part.count) / static_cast<double>(most);
        svg.text(kSizesLeft - 6, y, class_text(i), 10, Anchor::end);
        svg.rectangle(kSizesLeft, y - 10, std::max(share * kLongestBar, 1.0), kSizesLine - 4,
                      heat_color(0.7), format_count(part.count) + " of " + class_text(i));
        svg.text(kSizesLeft + share * kLongestBar + 6, y, format_count(part.count), 10);
    }
    return y + 2 * kSizesLine;
}

}  // namespace

void write_sizes_svg(const std::string& file, const MessageSizes& sizes, std::ostream& out) {
    std::size_t lines = 0;
    for (const auto& [key, histogram] : sizes.histograms) {
        if (is_drawn(key, histogram)) lines += lines_of(histogram);
    }
    SvgWriter svg(out, kSizesLeft + kLongestBar + 80,
                  kBarsTop + kSizesLine * static_cast<double>(lines + 1));
    svg.text(20, 20, file + ": how often which size", 14);
    double y = kBarsTop + kSizesLine;
    for (const auto& [key, histogram] : sizes.histograms) {
        if (is_drawn(key, histogram)) y = draw_histogram(key, histogram, y, svg);
    }
}

}  // namespace tracefold
