// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/multi_partition.hpp"

#include <array>

#include <fmt/core.h>

namespace tracefold {

namespace {

using Extent = CellPlace::Extent;

i64 side_of(const Point& point) { return point.grid->sizes()[0]; }

/// Precondition: 0 <= place < side.
i64 share_at(i64 place, i64 things, i64 side) {
    return things / side + (place < things % side ? 1 : 0);
}

void append(std::string& text, int coefficient, std::string_view name) {
    if (coefficient == 0) return;
    text += coefficient < 0 ? "-" : text.empty() ? "" : "+";
    text += name;
}

std::string sum_text(const CellPlace& cell) {
    std::string text;
    append(text, cell.x, "x");
    append(text, cell.y, "y");
    append(text, cell.index, "i");
    if (cell.offset != 0 || text.empty()) {
        text += text.empty() ? fmt::format("{}", cell.offset) : fmt::format("{:+}", cell.offset);
    }
    return text;
}

}  // namespace

i64 place_of(const CellPlace& cell, const Point& point) {
    const auto y = static_cast<i64>(point.grid->coordinate(0, point.rank));
    const auto x = static_cast<i64>(point.grid->coordinate(1, point.rank));
    const i64 index = point.loops[0].index;
    return modulo(cell.x * x + cell.y * y + cell.index * index + cell.offset, side_of(point));
}

i64 share_of(const CellPlace& cell, i64 things, const Point& point) {
    const i64 side = side_of(point);
    const i64 place = place_of(cell, point);
    const i64 share = share_at(place, things, side);
    if (cell.extent != Extent::inner) {
        return share + static_cast<int>(cell.extent == Extent::one_more) +
               2 * static_cast<int>(cell.extent == Extent::two_more);
    }
    return share - static_cast<int>(place == 0) - static_cast<int>(place == side - 1);
}

i64 sum_of_faces(const FaceSum& faces, i64 things, const Point& point) {
    const i64 side = side_of(point);
    const i64 left_out = faces.left_out == 0 ? side : faces.left_out > 0 ? 0 : side - 1;
    const CellPlace x{1, 0, 0, 0};
    const CellPlace y{0, 1, 0, 0};
    std::array<i64, 3> place = {place_of(x, point), place_of(y, point), 0};
    const auto dimension = static_cast<std::size_t>(faces.dimension);
    i64 sum = 0;
    for (; place[2] < side; ++place[2]) {
        if (place[dimension] != left_out) {
            sum += share_at(place[(dimension + 1) % 3], things, side) *
                   share_at(place[(dimension + 2) % 3], things, side);
        }
        place[0] = modulo(place[0] + faces.step_x, side);
        place[1] = modulo(place[1] + faces.step_y, side);
    }
    return sum;
}

std::string to_text(const CellPlace& cell) { return "(" + sum_text(cell) + " mod X)"; }

std::string to_text(const CellPlace& cell, i64 things) {
    const std::string_view name = cell.extent == Extent::inner ? "inner" : "cell";
    const std::string text = fmt::format("{}({}, {})", name, things, sum_text(cell));
    if (cell.extent == Extent::one_more) return "(" + text + " + 1)";
    return cell.extent == Extent::two_more ? "(" + text + " + 2)" : text;
}

std::string to_text(const FaceSum& faces, i64 things) {
    constexpr std::string_view kDimensions = "xyz";
    const std::string_view rest = faces.left_out == 0  ? ""
                                  : faces.left_out > 0 ? " but the first"
                                                       : " but the last";
    return fmt::format("faces({}, {}{})", things,
                       kDimensions[static_cast<std::size_t>(faces.dimension)], rest);
}

}  // namespace tracefold
