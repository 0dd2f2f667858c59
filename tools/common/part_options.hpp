// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "model/participant_names.hpp"

#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <CLI/CLI.hpp>

namespace re2 {
class RE2;
}

namespace tracefold {

/// A set of ranks as given by users: numbers, ranges and strides separated by commas,
/// "0-15,64,0-63:4". Memory: linear in the text, independent of the ranges.
class RankList {
  public:
    /// The empty list, which represents all ranks.
    RankList() = default;

    /// Throws Error(usage), which names the invalid item.
    static RankList parse(std::string_view text);

    [[nodiscard]] bool selects_all() const { return ranges_.empty(); }

    /// Cost: linear in the items of the text.
    [[nodiscard]] bool contains(u64 rank) const;

    /// The selected ranks below COUNT, ascending, unique. Throws Error(usage) for nonexistent
    /// ranks.
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

/// A filter of names: shell patterns ("MPI_I*", "MPI_?end"), or regular expressions between slashes
/// ("/send|recv/", in RE2's syntax), which match any part. Caches results: names are few. Time is
/// linear in the lengths of name and pattern, the stack constant.
class NameFilter {
  public:
    /// Throws Error(usage) for an invalid pattern.
    void add(const std::string& pattern);

    /// Adds patterns separated by commas, except within slashes.
    void add_list(std::string_view list);

    /// True without patterns.
    [[nodiscard]] bool empty() const { return patterns_.empty(); }

    /// The patterns as given, separated by commas.
    [[nodiscard]] const std::string& text() const { return text_; }

    /// True if any pattern matches, or without patterns.
    bool matches(std::string_view name);

  private:
    /// `standard`: the MPI spelling of the name; empty for other functions.
    [[nodiscard]] bool matches_pattern(const std::string& name, const std::string& standard) const;

    std::string text_;
    std::vector<std::shared_ptr<const re2::RE2>> patterns_;
    std::unordered_map<std::string, bool> known_;
};

/// "no name in the trace matches X; did you mean Y?"; empty if one of the names matches.
std::string no_match_sentence(NameFilter& names, const std::vector<std::string>& present);

/// Seconds since the start of the trace, or shares of the run.
struct TimeWindow {
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    bool given = false;
    bool from_is_share = false;  ///< 1: the end of the run
    bool to_is_share = false;

    [[nodiscard]] bool has_shares() const { return from_is_share || to_is_share; }
    /// The window in seconds for a run of `length` seconds. Throws Error(usage) if it is empty.
    [[nodiscard]] TimeWindow of_run(double length) const;
    /// "1.5:2", ":20ms", "2s:", "25%:50%". Throws Error(usage).
    static TimeWindow parse(const std::string& text);
};

/// Options that select a part of a trace, identical in all tools. Their targets must outlive APP;
/// HELP describes the use of the part.
CLI::Option* add_ranks_option(CLI::App& app, RankList& ranks,
                              const std::string& help = "Only these ranks, as in 0-15,64");
CLI::Option* add_time_option(CLI::App& app, TimeWindow& window, const std::string& help);
CLI::Option* add_iterations_option(CLI::App& app, RankList& iterations, const std::string& help);
/// `--NAME` with patterns, separated by commas.
CLI::Option* add_names_option(CLI::App& app, const std::string& name, NameFilter& names,
                              const std::string& help);

/// Locations selected by --ranks. Throws Error(usage) for ranks that do not exist.
inline std::vector<bool> select_locations(const RankList& ranks, const ParticipantNames& names,
                                          u32 location_count) {
    return ranks.selects_all() ? std::vector<bool>(location_count, true)
                               : names.locations_of(ranks.select(names.rank_count()));
}

}  // namespace tracefold
