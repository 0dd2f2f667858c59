// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/growth.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr double kWorthATerm = 0.8;  ///< of a constant's error
constexpr double kWorthFraction = 0.7;
constexpr double kRounding = 1e-9;
constexpr double kNoise = 0.05;
constexpr double kSteepError = 0.05;

struct Shape {
    int numerator;
    int denominator;
    int logarithms;

    /// Common shapes: 1/p, log p, p, p log p. Others must be clearly better: a large exponent that
    /// fits noise extrapolates badly.
    [[nodiscard]] bool is_plain() const {
        return denominator == 1 && numerator <= 1 && logarithms <= 1;
    }
};

/// Exponents in quarters and thirds from -1 to 3, with up to two logarithms for positive ones.
std::vector<Shape> shapes() {
    std::vector<Shape> all;
    for (const int denominator : {1, 2, 3, 4}) {
        for (int numerator = -denominator; numerator <= 3 * denominator; ++numerator) {
            const bool reduced = denominator == 1 || (numerator % denominator != 0 &&
                                                      (denominator != 4 || numerator % 2 != 0));
            if (!reduced) continue;
            for (int logarithms = 0; logarithms <= (numerator < 0 ? 0 : 2); ++logarithms) {
                if (numerator == 0 && logarithms == 0) continue;
                all.push_back({numerator, denominator, logarithms});
            }
        }
    }
    std::ranges::stable_sort(
        all, [](const Shape& a, const Shape& b) { return a.is_plain() && !b.is_plain(); });
    return all;
}

double at(const Shape& shape, double size) {
    const double exponent =
        static_cast<double>(shape.numerator) / static_cast<double>(shape.denominator);
    return std::pow(size, exponent) * std::pow(std::log2(size), shape.logarithms);
}

/// One value per size.
std::vector<Measurement> means_of(std::span<const Measurement> measurements) {
    std::map<double, std::pair<double, u64>> sums;
    for (const Measurement& measurement : measurements) {
        auto& [sum, count] = sums[measurement.size];
        sum += measurement.value;
        ++count;
    }
    std::vector<Measurement> means;
    for (const auto& [size, sum] : sums) {
        means.push_back({size, sum.first / static_cast<double>(sum.second)});
    }
    return means;
}

/// Weights by relative error: noise is proportional to the measurement.
double weight_of(double value) { return value == 0 ? 1 : 1 / (value * value); }

Growth fit_constant(std::span<const Measurement> means, std::size_t left_out) {
    double sum = 0;
    double weights = 0;
    for (std::size_t i = 0; i < means.size(); ++i) {
        if (i == left_out) continue;
        sum += weight_of(means[i].value) * means[i].value;
        weights += weight_of(means[i].value);
    }
    return {sum / weights};
}

/// Sums of weighted least squares for one shape.
struct Sums {
    double w = 0;
    double x = 0;
    double y = 0;
    double xx = 0;
    double xy = 0;
};

Sums sums_of(const Shape& shape, std::span<const Measurement> means, std::size_t left_out) {
    Sums sums;
    for (std::size_t i = 0; i < means.size(); ++i) {
        if (i == left_out) continue;
        const double weight = weight_of(means[i].value);
        const double g = at(shape, means[i].size);
        sums.w += weight;
        sums.x += weight * g;
        sums.y += weight * means[i].value;
        sums.xx += weight * g * g;
        sums.xy += weight * g * means[i].value;
    }
    return sums;
}

/// Weighted least squares without a constant.
std::optional<Growth> fit_pure(const Shape& shape, std::span<const Measurement> means,
                               std::size_t left_out) {
    const Sums sums = sums_of(shape, means, left_out);
    if (!(sums.xx > 0)) return std::nullopt;
    return Growth{0, sums.xy / sums.xx, shape.numerator, shape.denominator, shape.logarithms};
}

/// Weighted least squares; none if the shape has the same value for all sizes.
std::optional<Growth> fit_shape(const Shape& shape, std::span<const Measurement> means,
                                std::size_t left_out) {
    const Sums sums = sums_of(shape, means, left_out);
    const double divisor = sums.w * sums.xx - sums.x * sums.x;
    if (!(std::abs(divisor) > 1e-12 * sums.w * sums.xx)) return std::nullopt;
    const double coefficient = (sums.w * sums.xy - sums.x * sums.y) / divisor;
    return Growth{(sums.y - coefficient * sums.x) / sums.w, coefficient, shape.numerator,
                  shape.denominator, shape.logarithms};
}

double relative_error(const Growth& growth, const Measurement& measurement) {
    const double scale = std::max(std::abs(measurement.value), 1e-300);
    return std::abs(evaluate(growth, measurement.size) - measurement.value) / scale;
}

template <class Fit>
std::optional<Growth> with_error(std::span<const Measurement> means, const Fit& fit) {
    std::optional<Growth> whole = fit(means, means.size());
    if (!whole || means.size() < 2) return whole;
    double sum = 0;
    for (std::size_t i = 0; i < means.size(); ++i) {
        const std::optional<Growth> rest = fit(means, i);
        if (!rest) return std::nullopt;
        sum += relative_error(*rest, means[i]);
    }
    whole->error = sum / static_cast<double>(means.size());
    return whole;
}

/// Chooses between two growths: fewer and simpler terms unless others are clearly better.
class Choice {
  public:
    /// `limit`: of the error of another growth than the constant.
    Choice(std::span<const Measurement> means, const Growth& constant, double limit)
        : means_(means), best_(constant), limit_(limit) {}

    template <class Fit>
    void offer(const Shape& shape, int terms, const Fit& fit) {
        const std::optional<Growth> found = with_error(
            means_, [&](const auto& some, std::size_t out) { return fit(shape, some, out); });
        if (!found || found->error > limit_) return;
        // A steep growth that fits noise extrapolates badly.
        if (2 * shape.numerator > 3 * shape.denominator && found->error > kSteepError) return;
        // Rejects growths that become negative.
        if (evaluate(*found, means_.back().size * kFar) < 0) return;
        const int cost = terms + (shape.is_plain() ? 0 : 1);
        const double factor = cost > cost_ ? kWorthFraction : cost < cost_ ? 1 / kWorthFraction : 1;
        if (found->error >= factor * best_.error && cost_ != kNone) return;
        best_ = *found;
        cost_ = cost;
    }

    [[nodiscard]] const Growth& best() const { return best_; }

  private:
    static constexpr int kNone = 9;
    static constexpr double kFar = 64;

    std::span<const Measurement> means_;
    Growth best_;
    double limit_;
    int cost_ = kNone;  ///< complexity of best_; kNone: the constant, which any growth within the
                        ///< limit beats
};

}  // namespace

double evaluate(const Growth& growth, double size) {
    if (growth.is_constant()) return growth.constant;
    return growth.constant +
           growth.coefficient * at({growth.numerator, growth.denominator, growth.logarithms}, size);
}

Growth fit_growth(std::span<const Measurement> measurements) {
    const std::vector<Measurement> means = means_of(measurements);
    const Growth constant = *with_error(means, [](const auto& some, std::size_t out) {
        return std::optional<Growth>(fit_constant(some, out));
    });
    if (means.size() < 3 || constant.error < kRounding) return constant;
    // A term that is not exact would fit the noise of so small differences.
    Choice choice(means, constant,
                  constant.error < kNoise ? kRounding : kWorthATerm * constant.error);
    for (const Shape& shape : shapes()) {
        choice.offer(shape, 1, fit_pure);
        choice.offer(shape, 2, fit_shape);
    }
    return choice.best();
}

std::string to_text(const Growth& growth, std::string_view parameter) {
    if (growth.is_constant()) return fmt::format("{:.3g}", growth.constant);
    std::string text;
    if (growth.constant != 0) {
        text = fmt::format("{:.3g} {} ", growth.constant, growth.coefficient < 0 ? '-' : '+');
    }
    text += fmt::format("{:.3g}",
                        growth.constant == 0 ? growth.coefficient : std::abs(growth.coefficient));
    if (growth.numerator != 0) {
        text += fmt::format(" {}", parameter);
        if (growth.denominator != 1) {
            text += fmt::format("^({}/{})", growth.numerator, growth.denominator);
        } else if (growth.numerator != 1) {
            text += fmt::format("^{}", growth.numerator);
        }
    }
    if (growth.logarithms != 0) text += fmt::format(" log2({})", parameter);
    if (growth.logarithms > 1) text += fmt::format("^{}", growth.logarithms);
    return text;
}

}  // namespace tracefold
