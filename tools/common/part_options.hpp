// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/participant_names.hpp"

#include <limits>
#include <regex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <CLI/CLI.hpp>

namespace tracefold {

/// A set of ranks as a user writes it: numbers, ranges and strides separated by commas,
/// "0-15,64,0-63:4". Memory is that of the text, whatever the ranges span.
class RankList {
  public:
    /// The empty list, which stands for all ranks.
    RankList() = default;

    /// Throws Error(usage) that names the item which is wrong.
    static RankList parse(std::string_view text);

    [[nodiscard]] bool selects_all() const { return ranges_.empty(); }

    /// Cost: linear in the items of the text.
    [[nodiscard]] bool contains(u64 rank) const;

    /// The ranks below COUNT that are selected, ascending, each once. Throws Error(usage) when a
    /// rank that the user named does not exist.
    [[nodiscard]] std::vector<u64> select(u64 count) const;

  private:
    struct Range {
        u64 first = 0;
        u64 last = 0;
        u64 stride = 1;
    };

    static Range parse_range(std::string_view item);

    std::vector<Range> ranges_;
};

/// Which names a user wants: shell patterns ("MPI_I*", "MPI_?end"), or regular expressions between
/// slashes ("/send|recv/"), which may match any part. Answers are remembered, since names are few.
class NameFilter {
  public:
    /// Throws Error(usage) for what is no pattern.
    void add(const std::string& pattern);

    /// The same for patterns separated by commas, but within slashes.
    void add_list(std::string_view list);

    /// True if there is no pattern.
    [[nodiscard]] bool empty() const { return patterns_.empty(); }

    /// The patterns as they were given, separated by commas.
    [[nodiscard]] const std::string& text() const { return text_; }

    /// True if any pattern matches, or if there is none.
    bool matches(std::string_view name);

  private:
    /// `standard`: the name as MPI spells it; empty if it is none of MPI.
    [[nodiscard]] bool matches_pattern(const std::string& name, const std::string& standard) const;

    std::string text_;
    std::vector<std::regex> patterns_;
    std::unordered_map<std::string, bool> known_;
};

/// Seconds since the start of the trace, or shares of the run.
struct TimeWindow {
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    bool given = false;
    bool from_is_share = false;  ///< 1: the end of the run
    bool to_is_share = false;

    [[nodiscard]] bool has_shares() const { return from_is_share || to_is_share; }
    /// The same in seconds, of a run of `length` seconds. Throws Error(usage) if it is empty then.
    [[nodiscard]] TimeWindow of_run(double length) const;
    /// "1.5:2", ":20ms", "2s:", "25%:50%". Throws Error(usage).
    static TimeWindow parse(const std::string& text);
};

/// Options that name a part of a trace, the same in all tools. What they set must outlive APP;
/// HELP says what becomes of the part.
CLI::Option* add_ranks_option(CLI::App& app, RankList& ranks,
                              const std::string& help = "Only these ranks, as in 0-15,64");
CLI::Option* add_time_option(CLI::App& app, TimeWindow& window, const std::string& help);
CLI::Option* add_iterations_option(CLI::App& app, RankList& iterations, const std::string& help);
/// `--NAME` with patterns, separated by commas.
CLI::Option* add_names_option(CLI::App& app, const std::string& name, NameFilter& names,
                              const std::string& help);

/// What --ranks means: true for all locations of these ranks. Throws Error(usage) for ranks that do
/// not exist.
inline std::vector<bool> select_locations(const RankList& ranks, const ParticipantNames& names,
                                          u32 location_count) {
    return ranks.selects_all() ? std::vector<bool>(location_count, true)
                               : names.locations_of(ranks.select(names.rank_count()));
}

}  // namespace tracefold
