// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/svg.hpp"

#include "common/text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace tracefold {

namespace {

/// At most two decimals.
std::string length(double pixels) {
    std::array<char, 32> buffer{};
    const auto result =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), std::round(pixels * 100) / 100);
    return {buffer.data(), result.ptr};
}

std::string_view name_of(Anchor anchor) {
    constexpr std::array<std::string_view, 3> kNames = {"start", "middle", "end"};
    return kNames[static_cast<std::size_t>(anchor)];
}

}  // namespace

SvgWriter::SvgWriter(std::ostream& out, double width, double height) : out_(out) {
    out_ << "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"" << length(width) << "\" height=\""
         << length(height) << "\" viewBox=\"0 0 " << length(width) << ' ' << length(height)
         << "\" font-family=\"sans-serif\">\n";
    rectangle(0, 0, width, height, "#ffffff");
}

SvgWriter::~SvgWriter() { out_ << "</svg>\n"; }

void SvgWriter::rectangle(double x, double y, double width, double height, std::string_view fill,
                          std::string_view tip) {
    out_ << "<rect x=\"" << length(x) << "\" y=\"" << length(y) << "\" width=\"" << length(width)
         << "\" height=\"" << length(height) << "\" fill=\"" << fill << '"';
    if (tip.empty()) {
        out_ << "/>\n";
    } else {
        out_ << "><title>" << markup_text(tip) << "</title></rect>\n";
    }
}

void SvgWriter::text(double x, double y, std::string_view content, double size, Anchor anchor) {
    out_ << "<text x=\"" << length(x) << "\" y=\"" << length(y) << "\" font-size=\"" << length(size)
         << "\" text-anchor=\"" << name_of(anchor) << "\">" << markup_text(content) << "</text>\n";
}

std::string heat_color(double share) {
    static constexpr char kHex[] = "0123456789abcdef";
    static constexpr std::array<double, 3> kDark = {8, 48, 107};
    std::string color = "#";
    for (const double dark : kDark) {
        const auto part = static_cast<unsigned>(std::lround(255 + (dark - 255) * share));
        color += kHex[part / 16];
        color += kHex[part % 16];
    }
    return color;
}

}  // namespace tracefold
