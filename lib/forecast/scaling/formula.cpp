// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/formula.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdlib>

#include <fmt/core.h>

namespace tracefold {

namespace {

using Extent = CellPlace::Extent;

i64 side_of(const Point& point) { return point.grid->sizes()[0]; }

/// Precondition: 0 <= place < side.
i64 share_at(i64 place, i64 problem_size, i64 side) {
    return problem_size / side + (place < problem_size % side ? 1 : 0);
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

i64 share_of(const CellPlace& cell, i64 problem_size, const Point& point) {
    const i64 side = side_of(point);
    const i64 place = place_of(cell, point);
    const i64 share = share_at(place, problem_size, side);
    if (cell.extent != Extent::inner) {
        return share + static_cast<int>(cell.extent == Extent::one_more) +
               2 * static_cast<int>(cell.extent == Extent::two_more);
    }
    return share - static_cast<int>(place == 0) - static_cast<int>(place == side - 1);
}

i64 sum_of_faces(const FaceSum& faces, i64 problem_size, const Point& point) {
    const i64 side = side_of(point);
    const i64 left_out = faces.left_out == 0 ? side : faces.left_out > 0 ? 0 : side - 1;
    const CellPlace x{1, 0, 0, 0};
    const CellPlace y{0, 1, 0, 0};
    std::array<i64, 3> place = {place_of(x, point), place_of(y, point), 0};
    const auto dimension = static_cast<std::size_t>(faces.dimension);
    i64 sum = 0;
    for (; place[2] < side; ++place[2]) {
        if (place[dimension] != left_out) {
            sum += share_at(place[(dimension + 1) % 3], problem_size, side) *
                   share_at(place[(dimension + 2) % 3], problem_size, side);
        }
        place[0] = modulo(place[0] + faces.step_x, side);
        place[1] = modulo(place[1] + faces.step_y, side);
    }
    return sum;
}

std::string to_text(const CellPlace& cell) { return "(" + sum_text(cell) + " mod X)"; }

std::string to_text(const CellPlace& cell, i64 problem_size) {
    const std::string_view name = cell.extent == Extent::inner ? "inner" : "cell";
    const std::string text = fmt::format("{}({}, {})", name, problem_size, sum_text(cell));
    if (cell.extent == Extent::one_more) return "(" + text + " + 1)";
    return cell.extent == Extent::two_more ? "(" + text + " + 2)" : text;
}

std::string to_text(const FaceSum& faces, i64 problem_size) {
    constexpr std::string_view kDimensions = "xyz";
    const std::string_view rest = faces.left_out == 0  ? ""
                                  : faces.left_out > 0 ? " but the first"
                                                       : " but the last";
    return fmt::format("faces({}, {}{})", problem_size,
                       kDimensions[static_cast<std::size_t>(faces.dimension)], rest);
}

namespace {

using Factor = Monomial::Factor;
using Function = Monomial::Function;
using V = Variable;

constexpr i64 kMostExponent = 40;

/// Dimension `k` counted from the fastest one.
i64 size_of(const RankGrid& grid, std::size_t k) {
    const std::size_t n = grid.dimensions();
    return k < n ? grid.sizes()[n - 1 - k] : 1;
}

i64 coordinate_of(const Point& point, std::size_t k) {
    const std::size_t n = point.grid->dimensions();
    return k < n ? static_cast<i64>(point.grid->coordinate(n - 1 - k, point.rank)) : 0;
}

std::size_t dimension_of(V size) {
    return static_cast<std::size_t>(size) - static_cast<std::size_t>(V::size_x);
}

/// The variable of dimension `k`, given that of the first one.
V of_dimension(V first, std::size_t k) {
    return static_cast<V>(static_cast<std::size_t>(first) + k);
}

Rational power(i64 base, int exponent) {
    Rational result(1);
    for (int i = 0; i < std::abs(exponent); ++i) result = result * Rational(base);
    return exponent < 0 ? Rational(1) / result : result;
}

Rational binary_logarithm(u64 value) {
    return std::has_single_bit(value) ? Rational(std::countr_zero(value)) : Rational::none();
}

/// Undefined with fewer elements than places, or for a place without any.
Rational share_in(const Factor& share, const Point& point) {
    if (share.parameter < value_of(share.variable, point)) return Rational::none();
    const i64 elements = share_of(share, point);
    return elements > 0 ? Rational(elements) : Rational::none();
}

Rational evaluate(const Factor& factor, const Point& point) {
    const i64 value = value_of(factor.variable, point);
    switch (factor.function) {
        case Function::power:
            return power(value, factor.parameter);
        case Function::log2:
            return binary_logarithm(static_cast<u64>(value));
        case Function::log2_rest: {
            const u64 ranks = point.grid->participants();
            return binary_logarithm(ranks / static_cast<u64>(value));
        }
        case Function::exp2:
            if (value < 0 || value > kMostExponent) return Rational::none();
            return power(i64{1} << value, factor.parameter);
        case Function::quotient:
            return Rational(value /
                            size_of(*point.grid, static_cast<std::size_t>(factor.parameter)));
        case Function::remainder:
            return Rational(value % factor.parameter);
        case Function::block:
            return Rational((value + factor.offset) / factor.parameter);
        case Function::part:
            return Rational(value * factor.parameter /
                            static_cast<i64>(point.grid->participants()));
        case Function::share:
            return share_in(factor, point);
        case Function::cell_place:
            return Rational(place_of(factor.cell, point));
        case Function::cell_share:
            if (factor.parameter < value) return Rational::none();
            return Rational(share_of(factor.cell, factor.parameter, point));
        case Function::cell_faces:
            if (factor.parameter < value) return Rational::none();
            return Rational(sum_of_faces(factor.faces, factor.parameter, point));
    }
    return Rational::none();
}

constexpr std::string_view kDistributionNames[kDistributions] = {
    "", ", last", ", spread", ", ceiling", ", rest first", ", rest last"};
constexpr std::string_view kNames[kVariables] = {"P", "X", "Y", "Z", "rank", "x", "y",
                                                 "z", "i", "n", "j", "m",    "id"};

std::string to_text(const Factor& factor) {
    const std::string name(kNames[static_cast<std::size_t>(factor.variable)]);
    switch (factor.function) {
        case Function::power: {
            const int exponent = std::abs(factor.parameter);
            return exponent == 1 ? name : name + "^" + std::to_string(exponent);
        }
        case Function::log2:
            return "log2(" + name + ")";
        case Function::log2_rest:
            return "log2(P / " + name + ")";
        case Function::exp2:
            return (factor.parameter < 0 ? "2^-" : "2^") + name;
        case Function::quotient:
            return "floor(" + name + "/" + std::string(kNames[1 + factor.parameter]) + ")";
        case Function::remainder:
            return fmt::format("({} mod {})", name, factor.parameter);
        case Function::block:
            if (factor.offset == 0) return fmt::format("floor({}/{})", name, factor.parameter);
            return fmt::format("floor(({}+{})/{})", name, factor.offset, factor.parameter);
        case Function::part:
            return fmt::format("floor({} {}/P)", factor.parameter, name);
        case Function::share:
            return fmt::format("share({}, {}{}{})", factor.parameter, name,
                               factor.offset == 0  ? ""
                               : factor.offset < 0 ? ", place before"
                                                   : ", place after",
                               kDistributionNames[static_cast<std::size_t>(factor.distribution)]);
        case Function::cell_place:
            return to_text(factor.cell);
        case Function::cell_share:
            return to_text(factor.cell, factor.parameter);
        case Function::cell_faces:
            return to_text(factor.faces, factor.parameter);
    }
    return name;
}

/// All products of a monomial of each list.
std::vector<Monomial> products(const std::vector<Monomial>& a, const std::vector<Monomial>& b) {
    std::vector<Monomial> all;
    for (const Monomial& first : a) {
        for (const Monomial& second : b) {
            Monomial product = first;
            product.factors.insert(product.factors.end(), second.factors.begin(),
                                   second.factors.end());
            all.push_back(std::move(product));
        }
    }
    return all;
}

void append(std::vector<Monomial>& to, const std::vector<Monomial>& more) {
    to.insert(to.end(), more.begin(), more.end());
}

Monomial of(V variable, int exponent = 1) { return {{{Function::power, variable, exponent}}}; }

std::vector<Monomial> of_runs(std::size_t dimensions) {
    std::vector<Monomial> all = {of(V::ranks),
                                 of(V::ranks, 2),
                                 of(V::ranks, -1),
                                 of(V::ranks, -2),
                                 {{{Function::log2, V::ranks, 1}}}};
    all.push_back({{{Function::power, V::ranks, 1}, {Function::log2, V::ranks, 1}}});
    if (dimensions < 2) return all;
    std::vector<Monomial> sizes;
    for (std::size_t k = 0; k < dimensions; ++k) {
        const auto size = of_dimension(V::size_x, k);
        sizes.push_back(of(size));
        append(all, {of(size),
                     of(size, 2),
                     of(size, -1),
                     {{{Function::log2, size, 1}}},
                     {{{Function::log2_rest, size, 1}}}});
    }
    append(all, products(sizes, {of(V::ranks, -1)}));
    for (std::size_t a = 0; dimensions > 2 && a < dimensions; ++a) {
        for (std::size_t b = a + 1; b < dimensions; ++b)
            append(all, products({sizes[a]}, {sizes[b]}));
    }
    return all;
}

/// Monomials of a grid position.
std::vector<Monomial> of_places(std::size_t dimensions) {
    if (dimensions < 2) return {of(V::rank)};
    std::vector<Monomial> all = {of(V::rank)};
    std::vector<Monomial> coordinates;
    std::vector<Monomial> sizes;
    for (std::size_t k = 0; k < dimensions; ++k) {
        coordinates.push_back(of(of_dimension(V::x, k)));
        sizes.push_back(of(of_dimension(V::size_x, k)));
    }
    append(all, coordinates);
    append(all, products(coordinates, sizes));
    return all;
}

std::vector<Monomial> of_loop(V index, V trips, std::size_t dimensions) {
    std::vector<Monomial> all = {of(index), of(trips), {{{Function::exp2, index, 1}}}};
    all.push_back({{{Function::exp2, index, -1}}});
    all.push_back({{{Function::exp2, trips, 1}, {Function::exp2, index, -1}}});
    std::vector<Monomial> sizes = {of(V::ranks)};
    for (std::size_t k = 0; dimensions > 1 && k < dimensions; ++k) {
        sizes.push_back(of(of_dimension(V::size_x, k)));
    }
    append(all, products({of(index)}, sizes));
    // Rows and columns of an index over all places.
    for (std::size_t k = 0; dimensions > 1 && k < dimensions; ++k) {
        const Monomial quotient{{{Function::quotient, index, static_cast<int>(k)}}};
        all.push_back(quotient);
        append(all, products({of(of_dimension(V::size_x, k))}, {quotient}));
    }
    return all;
}

}  // namespace

i64 value_of(Variable variable, const Point& point) {
    const RankGrid& grid = *point.grid;
    switch (variable) {
        case V::ranks:
            return static_cast<i64>(grid.participants());
        case V::size_x:
        case V::size_y:
        case V::size_z:
            return size_of(grid, dimension_of(variable));
        case V::rank:
            return point.rank;
        case V::x:
        case V::y:
        case V::z:
            return coordinate_of(
                point, static_cast<std::size_t>(variable) - static_cast<std::size_t>(V::x));
        case V::index:
            return point.loops[0].index;
        case V::trips:
            return point.loops[0].trips;
        case V::outer_index:
            return point.loops[1].index;
        case V::outer_trips:
            return point.loops[1].trips;
        case V::communicator:
            return static_cast<i64>(point.communicator);
    }
    return 0;
}

i64 share_of(const Monomial::Factor& share, const Point& point) {
    const bool of_ranks = share.variable == V::ranks;
    const i64 size = value_of(share.variable, point);
    const i64 own = of_ranks ? i64{point.rank} : coordinate_of(point, dimension_of(share.variable));
    const i64 place = modulo(own + share.offset, size);
    const i64 all = share.parameter;
    const i64 least = all / size;
    const i64 left = all % size;
    switch (share.distribution) {
        case Distribution::first:
            return least + (place < left ? 1 : 0);
        case Distribution::last:
            return least + (place >= size - left ? 1 : 0);
        case Distribution::spread:
            return (place + 1) * all / size - place * all / size;
        case Distribution::ceiling: {
            const i64 block = least + (left == 0 ? 0 : 1);
            return std::clamp(all - place * block, i64{0}, block);
        }
        case Distribution::rest_first:
            return least + (place == 0 ? left : 0);
        case Distribution::rest_last:
            return least + (place == size - 1 ? left : 0);
    }
    return least;
}

Rational evaluate(const Monomial& monomial, const Point& point) {
    Rational product(1);
    for (const Factor& factor : monomial.factors) product = product * evaluate(factor, point);
    return product;
}

u32 weight(const Monomial& monomial) {
    u32 sum = 0;
    for (const Factor& factor : monomial.factors) {
        const bool plain = factor.function == Function::power;
        sum += plain && factor.parameter > 0 ? 2 * static_cast<u32>(factor.parameter) - 1
               : plain                       ? 2 * static_cast<u32>(-factor.parameter)
                                             : 2;
    }
    return sum;
}

std::string to_text(const Monomial& monomial) {
    std::string above;
    std::string below;
    for (const Factor& factor : monomial.factors) {
        const bool divides = factor.function == Function::power && factor.parameter < 0;
        std::string& text = divides ? below : above;
        text += (text.empty() ? "" : " ") + to_text(factor);
    }
    if (below.empty()) return above;
    return (above.empty() ? "1" : above) + " / " + below;
}

std::vector<Monomial> candidate_monomials(std::size_t dimensions, std::size_t indices) {
    std::vector<Monomial> all = {Monomial{}};
    append(all, of_runs(dimensions));
    append(all, of_places(dimensions));
    if (indices > 0) append(all, of_loop(V::index, V::trips, dimensions));
    if (indices > 1) append(all, of_loop(V::outer_index, V::outer_trips, dimensions));
    std::ranges::stable_sort(all, {}, weight);
    return all;
}

namespace {

using Coordinate = Formula::Coordinate;

Rational sum_of(const std::vector<Formula::Term>& terms, const Point& point) {
    Rational sum(0);
    for (const Formula::Term& term : terms) {
        sum = sum + term.coefficient * evaluate(term.monomial, point);
    }
    return sum;
}

/// In units of `element`; none unless a number.
std::optional<double> elements_of(const Rational& sum, u64 element) {
    if (!sum.is_number()) return std::nullopt;
    return static_cast<double>(sum.numerator()) / static_cast<double>(sum.denominator()) /
           static_cast<double>(element);
}

u64 rounded_to(double elements, u64 element) {
    return static_cast<u64>(std::llround(std::max(elements, 0.0))) * element;
}

u64 distance(i64 peer, const Point& point) { return static_cast<u64>(peer) - point.rank; }

bool is_rank(i64 peer, const Point& point) {
    return peer >= 0 && static_cast<u64>(peer) < point.grid->participants();
}

std::string coefficient_text(const Rational& coefficient) {
    const std::string numerator = std::to_string(std::abs(coefficient.numerator()));
    if (coefficient.denominator() == 1) return numerator;
    return numerator + "/" + std::to_string(coefficient.denominator());
}

std::string sum_text(const std::vector<Formula::Term>& terms) {
    std::string text;
    for (const Formula::Term& term : terms) {
        if (term.coefficient.is_zero()) continue;
        const bool negative = term.coefficient.numerator() < 0;
        if (text.empty()) {
            text += negative ? "-" : "";
        } else {
            text += negative ? " - " : " + ";
        }
        const std::string coefficient = coefficient_text(term.coefficient);
        const std::string monomial = to_text(term.monomial);
        if (monomial.empty() || coefficient != "1") text += coefficient;
        if (!monomial.empty()) text += (coefficient != "1" ? " " : "") + monomial;
    }
    return text.empty() ? "0" : text;
}

constexpr std::string_view kCoordinates = "xyz";
constexpr std::string_view kSizes = "XYZ";

void add_part(std::string& text, i64 coefficient, std::string_view name) {
    if (coefficient == 0) return;
    if (coefficient < 0 || !text.empty()) text += coefficient < 0 ? "-" : "+";
    const i64 amount = std::abs(coefficient);
    if (amount != 1 || name.empty()) text += std::to_string(amount);
    text += name;
}

std::string coordinate_text(const Coordinate& coordinate, std::size_t dimension) {
    const std::size_t n = coordinate.coefficients.size();
    std::string text;
    for (std::size_t d = n; d-- > 0;) {
        add_part(text, coordinate.coefficients[d], kCoordinates.substr(n - 1 - d, 1));
    }
    add_part(text, coordinate.index, "i");
    add_part(text, coordinate.offset, "");
    if (text.empty()) text = "0";
    const bool alone = coordinate.index == 0 && coordinate.offset == 0 && text.size() == 1;
    return alone ? text : text + " mod " + std::string(1, kSizes[n - 1 - dimension]);
}

std::string place_text(const std::vector<Coordinate>& place) {
    std::string text;
    for (std::size_t d = place.size(); d-- > 0;) {
        text += (text.empty() ? "" : ", ") + coordinate_text(place[d], d);
    }
    return "to (" + text + ")";
}

}  // namespace

i64 coordinate_at(const Coordinate& coordinate, i64 size, const Point& point) {
    i64 sum = coordinate.offset + coordinate.index * i64{point.loops[0].index};
    for (std::size_t d = 0; d < coordinate.coefficients.size(); ++d) {
        if (coordinate.coefficients[d] == 0) continue;
        sum += coordinate.coefficients[d] * static_cast<i64>(point.grid->coordinate(d, point.rank));
    }
    return modulo(sum, size);
}

namespace {

/// Ranks are those of the point.
std::optional<u64> evaluate_here(const Formula& formula, const Point& point) {
    if (formula.kind == Formula::Kind::place) {
        const RankGrid& grid = *point.grid;
        i64 peer = 0;
        for (std::size_t d = 0; d < formula.place.size(); ++d) {
            peer += static_cast<i64>(grid.stride(d)) *
                    coordinate_at(formula.place[d], grid.sizes()[d], point);
        }
        return distance(peer, point);
    }
    if (formula.kind == Formula::Kind::approximate) {
        const auto ranks = static_cast<double>(point.grid->participants());
        return rounded_to(evaluate(formula.growth, ranks) / static_cast<double>(formula.element),
                          formula.element);
    }
    const Rational exact = sum_of(formula.terms, point);
    if (formula.rounded) {
        const auto elements = elements_of(exact, formula.element);
        return elements ? std::optional(rounded_to(*elements, formula.element)) : std::nullopt;
    }
    const std::optional<i64> sum = exact.whole();
    if (!sum || *sum % static_cast<i64>(formula.element) != 0) return std::nullopt;
    if (formula.kind == Formula::Kind::number) return static_cast<u64>(*sum);
    const i64 peer = formula.kind == Formula::Kind::absolute ? *sum : *sum ^ i64 { point.rank };
    if (!is_rank(peer, point)) return std::nullopt;
    return distance(peer, point);
}

std::string text_here(const Formula& formula) {
    switch (formula.kind) {
        case Formula::Kind::number:
            return sum_text(formula.terms) +
                   (formula.rounded ? fmt::format(", rounded to {} bytes", formula.element) : "");
        case Formula::Kind::place:
            return place_text(formula.place);
        case Formula::Kind::absolute:
            return "to rank " + sum_text(formula.terms);
        case Formula::Kind::exclusive_or:
            return "to rank xor " + sum_text(formula.terms);
        case Formula::Kind::approximate:
            return "about " + to_text(formula.growth, "P");
    }
    return {};
}

}  // namespace

std::optional<Point> within(const Point& point, u32 which) {
    if (point.communicators == nullptr) return std::nullopt;
    const auto& all = point.communicators->of(point.rank);
    if (which >= all.size()) return std::nullopt;
    return Point{all[which].grid, all[which].rank, point.loops, nullptr, all[which].id};
}

std::optional<u64> evaluate(const Formula& formula, const Point& point) {
    if (formula.communicator == kNone) return evaluate_here(formula, point);
    const std::optional<Point> inner = within(point, formula.communicator);
    return inner ? evaluate_here(formula, *inner) : std::nullopt;
}

std::string to_text(const Formula& formula) {
    const std::string text = text_here(formula);
    if (formula.communicator == kNone) return text;
    return fmt::format("{} in the rank's communicator number {}", text, formula.communicator);
}

std::string impossible_text(const Formula& formula, const Point& point) {
    const std::string text = to_text(formula);
    const std::optional<Point> inner =
        formula.communicator == kNone ? point : within(point, formula.communicator);
    std::optional<double> elements;
    if (formula.kind == Formula::Kind::number && inner) {
        elements = elements_of(sum_of(formula.terms, *inner), formula.element);
    }
    if (elements && formula.element != 1) {
        return fmt::format(
            "{} gives {:g} elements of {} bytes, and the runs do not show which "
            "ranks get what is left over",
            text, *elements, formula.element);
    }
    return fmt::format("{} {}; perhaps the program cannot run on so many", text,
                       elements ? fmt::format("gives {:g}", *elements) : "is impossible");
}

}  // namespace tracefold
