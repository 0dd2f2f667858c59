// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"
#include "core/wide_integer.hpp"
#include "model/value_type.hpp"

#include <string>

namespace tracefold {

/// Number, sum, minimum and maximum of values of a metric. Sums of whole numbers are exact; those
/// of real ones carry along what was rounded off, so that they do not depend on the order.
class MetricTally {
  public:
    /// Precondition: all values are of one kind: unsigned, signed or real.
    void add(ValueType type, u64 bits);
    void merge(const MetricTally& other);

    [[nodiscard]] u64 count() const { return count_; }
    [[nodiscard]] double sum() const;
    [[nodiscard]] double mean() const {
        return count_ == 0 ? 0 : sum() / static_cast<double>(count_);
    }
    [[nodiscard]] double min() const { return number(min_); }
    [[nodiscard]] double max() const { return number(max_); }
    /// All digits.
    [[nodiscard]] std::string sum_text() const;
    [[nodiscard]] std::string min_text() const;
    [[nodiscard]] std::string max_text() const;

    static void each_field(auto& self, auto& visit) {
        visit(self.kind_, self.count_, self.whole_, self.real_, self.rounded_, self.min_,
              self.max_);
    }
    bool operator==(const MetricTally&) const = default;

  private:
    enum class Kind : u8 { none, whole, with_sign, real };

    static Kind kind_of(ValueType type);
    void add_real(double value);
    [[nodiscard]] bool less(u64 a, u64 b) const;
    [[nodiscard]] double number(u64 bits) const;
    [[nodiscard]] std::string text(u64 bits) const;

    Kind kind_ = Kind::none;
    u64 count_ = 0;
    u128 whole_ = 0;  ///< of signed numbers in two's complement
    double real_ = 0;
    double rounded_ = 0;  ///< off that sum (Neumaier)
    u64 min_ = 0;         ///< bits of a number of 64 bits
    u64 max_ = 0;
};

}  // namespace tracefold
