// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "scaling/formula.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace tracefold {

namespace {

using Coordinate = Formula::Coordinate;

std::optional<i64> sum_of(const std::vector<Formula::Term>& terms, const Point& point) {
    Rational sum(0);
    for (const Formula::Term& term : terms) {
        sum = sum + term.coefficient * evaluate(term.monomial, point);
    }
    return sum.whole();
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

std::optional<u64> evaluate(const Formula& formula, const Point& point) {
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
        return static_cast<u64>(std::llround(std::max(evaluate(formula.growth, ranks), 0.0)));
    }
    const std::optional<i64> sum = sum_of(formula.terms, point);
    if (!sum) return std::nullopt;
    if (formula.kind == Formula::Kind::number) return static_cast<u64>(*sum);
    const i64 peer = formula.kind == Formula::Kind::absolute ? *sum : *sum ^ i64 { point.rank };
    if (!is_rank(peer, point)) return std::nullopt;
    return distance(peer, point);
}

std::string to_text(const Formula& formula) {
    switch (formula.kind) {
        case Formula::Kind::number:
            return sum_text(formula.terms);
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

}  // namespace tracefold
