// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/part_options.hpp"

#include "common/units.hpp"
#include "core/error.hpp"

#include <charconv>

namespace tracefold {

namespace {

/// "1.5" are seconds, "20ms" says so itself.
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
        throw Error(ErrorKind::usage, "'{}' is no part of the run; write 0% to 100%", text);
    }
    return percent / 100;
}

void refuse_empty(const TimeWindow& window, const std::string& text) {
    if (window.from < window.to) return;
    throw Error(ErrorKind::usage, "'{}' is a time window without any time in it", text);
}

}  // namespace

TimeWindow TimeWindow::of_run(double length) const {
    constexpr double kAll = std::numeric_limits<double>::infinity();
    TimeWindow window = *this;
    window.from_is_share = window.to_is_share = false;
    if (from_is_share) window.from = from == 0 ? -kAll : from * length;
    // The last event belongs to the run.
    if (to_is_share) window.to = to == 1 ? kAll : to * length;
    refuse_empty(window, fmt::format("{} s:{} s", window.from, window.to));
    return window;
}

TimeWindow TimeWindow::parse(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        throw Error(ErrorKind::usage, "'{}' is no time window; write FROM:TO, as in 1.5:2", text);
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
