// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/part_options.hpp"

#include "base/error.hpp"
#include "common/command_line.hpp"
#include "common/text.hpp"
#include "model/mpi_function.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>
#include <utility>

#include <re2/re2.h>

namespace tracefold {
namespace {

std::optional<u64> take_number(std::string_view& text) {
    u64 number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    // Ranks are 32-bit numbers in all archives; the bound prevents overflow of sums.
    if (error != std::errc() || number > 0xFFFFFFFFU) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool take(std::string_view& text, char expected) {
    if (text.empty() || text.front() != expected) return false;
    text.remove_prefix(1);
    return true;
}

Error bad_item(std::string_view item) {
    return {ErrorKind::usage, "'" + std::string(item) +
                                  "' is not a rank, a range or a stride; write them as in "
                                  "0-15,64 or 0-63:4"};
}

}  // namespace

RankList::Range RankList::parse_range(std::string_view item) {
    std::string_view rest = item;
    const auto first = take_number(rest);
    if (!first) throw bad_item(item);
    Range range{*first, *first, 1};
    if (take(rest, '-')) {
        const auto last = take_number(rest);
        if (!last || *last < *first) throw bad_item(item);
        range.last = *last;
        if (take(rest, ':')) {
            const auto stride = take_number(rest);
            if (!stride || *stride == 0) throw bad_item(item);
            range.stride = *stride;
        }
    }
    if (!rest.empty()) throw bad_item(item);
    range.last -= (range.last - range.first) % range.stride;
    return range;
}

RankList RankList::parse(std::string_view text) {
    RankList list;
    while (true) {
        const std::size_t comma = text.find(',');
        list.ranges_.push_back(parse_range(text.substr(0, comma)));
        if (comma == std::string_view::npos) return list;
        text.remove_prefix(comma + 1);
    }
}

bool RankList::contains(u64 rank) const {
    return selects_all() || std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
               return rank >= range.first && rank <= range.last &&
                      (rank - range.first) % range.stride == 0;
           });
}

std::vector<u64> RankList::select(u64 count) const {
    for (const Range& range : ranges_) {
        if (range.last >= count)
            throw Error(ErrorKind::usage,
                        "rank {} does not exist; the trace has {} ranks, counted from 0",
                        range.last, count);
    }
    std::vector<u64> ranks;
    for (u64 rank = 0; rank < count; ++rank) {
        if (contains(rank)) ranks.push_back(rank);
    }
    return ranks;
}

namespace {

/// A regular expression for the whole name.
std::string regex_of_glob(const std::string& glob) {
    std::string regex = "^(?s:";
    for (const char c : glob) {
        if (c == '*') {
            regex += ".*";
        } else if (c == '?') {
            regex += '.';
        } else {
            regex += re2::RE2::QuoteMeta(std::string(1, c));
        }
    }
    return regex + ")$";
}

}  // namespace

void NameFilter::add(const std::string& pattern) {
    const bool is_regex = pattern.size() > 2 && pattern.front() == '/' && pattern.back() == '/';
    // Names are bytes: archives do not say in which character set.
    re2::RE2::Options options(re2::RE2::Latin1);
    options.set_log_errors(false);
    auto made = std::make_shared<re2::RE2>(
        is_regex ? pattern.substr(1, pattern.size() - 2) : regex_of_glob(pattern), options);
    if (!made->ok()) {
        throw Error(ErrorKind::usage, "'{}' is not a regular expression: {}", pattern,
                    made->error());
    }
    patterns_.push_back(std::move(made));
    text_ += (text_.empty() ? "" : ",") + pattern;
}

void NameFilter::add_list(std::string_view list) {
    while (true) {
        const std::size_t slash =
            list.starts_with('/') ? list.find('/', 1) : std::string_view::npos;
        const std::size_t comma = list.find(',', slash == std::string_view::npos ? 0 : slash);
        add(std::string(list.substr(0, comma)));
        if (comma == std::string_view::npos) return;
        list.remove_prefix(comma + 1);
    }
}

bool NameFilter::matches_pattern(const std::string& name, const std::string& standard) const {
    return std::ranges::any_of(patterns_, [&](const auto& pattern) {
        return re2::RE2::PartialMatch(name, *pattern) ||
               (!standard.empty() && re2::RE2::PartialMatch(standard, *pattern));
    });
}

std::string no_match_sentence(NameFilter& names, const std::vector<std::string>& present) {
    const auto matches = [&names](const std::string& name) { return names.matches(name); };
    if (std::ranges::any_of(present, matches)) return {};
    const std::string advice = suggestion(names.text(), present);
    return "no name in the trace matches " + names.text() + "; " +
           (advice.empty() ? "trace_inspect info --all lists the names" : advice);
}

bool NameFilter::matches(std::string_view name) {
    if (patterns_.empty()) return true;
    const auto [known, fresh] = known_.emplace(std::string(name), false);
    if (fresh) known->second = matches_pattern(known->first, mpi_function_name(name));
    return known->second;
}

namespace {

/// "1.5" is in seconds, "20ms" has a unit.
double parse_time(const std::string& text) {
    double seconds = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, seconds);
    return error == std::errc() && rest == end ? seconds : parse_seconds(text);
}

/// "25%"
bool is_share(const std::string& text) { return text.ends_with('%'); }

double parse_share(const std::string& text) {
    double percent = 0;
    const char* end = text.data() + text.size() - 1;
    const auto [rest, error] = std::from_chars(text.data(), end, percent);
    if (error != std::errc() || rest != end || !(percent >= 0 && percent <= 100)) {
        throw Error(ErrorKind::usage, "'{}' is not a share of the run; write 0% to 100%", text);
    }
    return percent / 100;
}

void refuse_empty(const TimeWindow& window, const std::string& text) {
    if (window.from < window.to) return;
    throw Error(ErrorKind::usage, "'{}' is an empty time window", text);
}

}  // namespace

TimeWindow TimeWindow::of_run(double length) const {
    constexpr double kAll = std::numeric_limits<double>::infinity();
    TimeWindow window = *this;
    window.from_is_share = window.to_is_share = false;
    if (from_is_share) window.from = from == 0 ? -kAll : from * length;
    // Includes the last event.
    if (to_is_share) window.to = to == 1 ? kAll : to * length;
    refuse_empty(window, fmt::format("{} s:{} s", window.from, window.to));
    return window;
}

TimeWindow TimeWindow::parse(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        throw Error(ErrorKind::usage, "'{}' is not a time window; write FROM:TO, as in 1.5:2",
                    text);
    }
    TimeWindow window;
    window.given = true;
    const std::string from = text.substr(0, colon);
    const std::string to = text.substr(colon + 1);
    window.from_is_share = is_share(from);
    window.to_is_share = is_share(to);
    if (!from.empty()) window.from = window.from_is_share ? parse_share(from) : parse_time(from);
    if (!to.empty()) window.to = window.to_is_share ? parse_share(to) : parse_time(to);
    const bool comparable =
        window.from_is_share == window.to_is_share || from.empty() || to.empty();
    if (comparable) refuse_empty(window, text);
    return window;
}

CLI::Option* add_ranks_option(CLI::App& app, RankList& ranks, const std::string& help) {
    return app
        .add_option_function<std::string>(
            "--ranks", [&ranks](const std::string& text) { ranks = RankList::parse(text); }, help)
        ->type_name("LIST");
}

CLI::Option* add_time_option(CLI::App& app, TimeWindow& window, const std::string& help) {
    return app
        .add_option_function<std::string>(
            "--time", [&window](const std::string& text) { window = TimeWindow::parse(text); },
            help)
        ->type_name("FROM:TO");
}

CLI::Option* add_iterations_option(CLI::App& app, RankList& iterations, const std::string& help) {
    return app
        .add_option_function<std::string>(
            "--iterations",
            [&iterations](const std::string& text) { iterations = RankList::parse(text); }, help)
        ->type_name("LIST");
}

CLI::Option* add_names_option(CLI::App& app, const std::string& name, NameFilter& names,
                              const std::string& help) {
    return app
        .add_option_function<std::string>(
            name, [&names](const std::string& text) { names.add_list(text); }, help)
        ->type_name("PATTERNS");
}

}  // namespace tracefold
