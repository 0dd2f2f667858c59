// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/monomial.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>

namespace tracefold {

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

/// The variable of dimension `k`, by that of the first one.
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
        case Function::share:
            if (factor.parameter < value) return Rational::none();
            return Rational(share_of(factor, point));
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

constexpr std::string_view kNames[kVariables] = {"P", "X", "Y", "Z", "rank", "x",
                                                 "y", "z", "i", "n", "j",    "m"};

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
        case Function::share:
            return "share(" + std::to_string(factor.parameter) + ", " + name + ")";
        case Function::cell_place:
            return to_text(factor.cell);
        case Function::cell_share:
            return to_text(factor.cell, factor.parameter);
        case Function::cell_faces:
            return to_text(factor.faces, factor.parameter);
    }
    return name;
}

/// All products of a monomial of one list with one of another.
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

/// Numbers of the run alone.
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

/// Numbers of a place in the grid.
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

/// Numbers of an iteration.
std::vector<Monomial> of_loop(V index, V trips, std::size_t dimensions) {
    std::vector<Monomial> all = {of(index), of(trips), {{{Function::exp2, index, 1}}}};
    all.push_back({{{Function::exp2, trips, 1}, {Function::exp2, index, -1}}});
    std::vector<Monomial> sizes = {of(V::ranks)};
    for (std::size_t k = 0; dimensions > 1 && k < dimensions; ++k) {
        sizes.push_back(of(of_dimension(V::size_x, k)));
    }
    append(all, products({of(index)}, sizes));
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
    }
    return 0;
}

i64 share_of(const Monomial::Factor& share, const Point& point) {
    const std::size_t k = dimension_of(share.variable);
    const i64 size = size_of(*point.grid, k);
    const i64 more = coordinate_of(point, k) < share.parameter % size ? 1 : 0;
    return share.parameter / size + more;
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

}  // namespace tracefold
