// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/compare/compare_words.hpp"

#include "common/units.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace tracefold {

std::string size_words(const ComparedCalls& calls) {
    return calls.from_bytes ? format_size(*calls.from_bytes) : "all";
}

std::vector<std::string> call_cells(const Comparison& comparison, const ComparedCalls& calls,
                                    std::size_t report, const std::string& missing) {
    const bool is_first = report == 0;
    const std::optional<CallsOfSize>& first = calls.reports.front();
    const std::optional<CallsOfSize>& of = calls.reports[report];
    std::vector<std::string> cells = {is_first ? calls.function : "",
                                      is_first ? size_words(calls) : "",
                                      comparison.reports[report].name};
    if (of) {
        const bool has_bandwidth = calls.part == CallPart::whole && of->bytes != 0;
        cells.push_back(std::to_string(of->calls));
        cells.push_back(of->shortest > 0 ? format_time(of->shortest) : "");
        cells.push_back(format_time(of->mean()));
        cells.push_back(has_bandwidth ? format_bandwidth(of->bandwidth()) : "");
        cells.push_back(!is_first && first ? ratio_words(first->mean(), of->mean()) : "");
    }
    cells.resize(8, missing);
    return cells;
}

std::string part_words(const DifferencePart& part) {
    if (part.function.empty()) return "outside of MPI calls";
    return part.function + ", " + format_size(part.from_bytes);
}

std::string change_words(double seconds) { return (seconds > 0 ? "+" : "") + format_time(seconds); }

std::string ratio_words(double first, double other) {
    return first > 0 ? fmt::format("x {:.2f}", other / first) : "";
}

std::string explanation_words(const Comparison& comparison, const Explanation& explanation) {
    const std::string& name = comparison.reports[explanation.report].name;
    const std::string& first = comparison.reports.front().name;
    const double difference = explanation.other - explanation.first;
    if (explanation.parts.empty() || difference == 0)
        return fmt::format("{} takes as long as {}", name, first);
    const DifferencePart& part = explanation.parts.front();
    std::string text =
        fmt::format("{} takes {} {} than {} on all ranks together ({}); the largest part is {}: {}",
                    name, format_time(std::abs(difference)), difference > 0 ? "longer" : "less",
                    first, ratio_words(explanation.first, explanation.other), part_words(part),
                    change_words(part.difference()));
    if (!part.function.empty()) {
        text += fmt::format(", of which {} by the shortest call and {} by waiting",
                            change_words(part.by_shortest), change_words(part.by_waiting()));
    }
    return text;
}

std::vector<DifferencePart> large_parts(const Explanation& explanation, std::size_t most) {
    constexpr double kSmallShare = 0.01;
    std::vector<DifferencePart> parts;
    for (const DifferencePart& part : explanation.parts) {
        const double largest = std::abs(explanation.parts.front().difference());
        if (parts.size() == most || std::abs(part.difference()) < kSmallShare * largest) break;
        parts.push_back(part);
    }
    return parts;
}

std::vector<std::string> comparison_warnings(const Comparison& comparison) {
    std::vector<std::string> warnings;
    for (const MachineReport& report : comparison.reports) {
        if (!report.met)
            warnings.push_back(report.name + ": the replay did not do what was asked for");
        if (report.oversubscribed) {
            warnings.push_back(report.name + ": ranks shared processors; its times say little");
        }
    }
    return warnings;
}

}  // namespace tracefold
