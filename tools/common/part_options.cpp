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

}  // namespace

TimeWindow TimeWindow::parse(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        throw Error(ErrorKind::usage, "'{}' is no time window; write FROM:TO, as in 1.5:2", text);
    }
    TimeWindow window;
    window.given = true;
    if (colon > 0) window.from = parse_time(text.substr(0, colon));
    if (colon + 1 < text.size()) window.to = parse_time(text.substr(colon + 1));
    if (!(window.from < window.to)) {
        throw Error(ErrorKind::usage, "'{}' is a time window without any time in it", text);
    }
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
