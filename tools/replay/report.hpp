// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/csv_table.hpp"
#include "base/file.hpp"
#include "base/json_writer.hpp"
#include "common/console.hpp"
#include "replay/options.hpp"
#include "replay/rank_detail.hpp"
#include "replay/replay_result.hpp"

#include <deque>
#include <functional>
#include <ostream>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// Prints what came out: a table and a summary line, or JSON.
void report(const ReplayArguments& arguments, const ReplayResult& result, Console& console);

/// The result as one object; docs/reference/replay.md describes it.
void write_json(JsonWriter& json, const ReplayArguments& arguments, const ReplayResult& result);

/// The result as one table with a line for every number: section, rank (empty: all), name,
/// quantity, value. RFC 4180.
void write_csv(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result);

/// The result as a page for people, that needs no other file and no network.
void write_html(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result);

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

/// The files of a report, each in the form that its name ends in: .json, .csv, or else .html. They
/// are opened before the work that they report, so that it is not done in vain.
class ReportFiles {
  public:
    /// Throws Error(io) if one exists and `force` is not set, or cannot be written.
    ReportFiles(const std::vector<std::string>& names, bool force);

    /// Writes all. Throws Error(io).
    void write(const std::function<void(JsonWriter&)>& json,
               const std::function<void(std::ostream&)>& csv,
               const std::function<void(std::ostream&)>& html);

  private:
    std::vector<std::string> names_;  ///< a symbolic link may lead to a file of another name
    std::deque<AtomicFile> files_;
};

}  // namespace tracefold
