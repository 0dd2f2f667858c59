// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/csv_table.hpp"
#include "replay_mpi/measure/time_spreads.hpp"

#include <ostream>
#include <string>
#include <string_view>

namespace tracefold {

/// Lines of a table with one number each, which begin alike.
class CsvLines {
  public:
    /// `start`: fields with a comma behind each.
    CsvLines(std::ostream& out, std::string start) : out_(out), start_(std::move(start)) {}

    void text(std::string_view name, std::string_view quantity, std::string_view value) const {
        out_ << start_ << csv_field(name) << ',' << quantity << ',' << csv_field(value) << "\r\n";
    }
    template <class Number>
    void number(std::string_view name, std::string_view quantity, Number value) const {
        text(name, quantity, csv_number(value));
    }
    void spreads(const std::string& prefix, const TimeSpreads& times) const {
        times.for_each([&](const std::string& what, const Spread& spread) {
            number(prefix + what, "min_seconds", spread.minimum);
            number(prefix + what, "mean_seconds", spread.mean);
            number(prefix + what, "max_seconds", spread.maximum);
            number(prefix + what, "std_seconds", spread.deviation);
        });
    }

  private:
    std::ostream& out_;
    std::string start_;
};

}  // namespace tracefold
