// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/report.hpp"

#include "common/table.hpp"
#include "common/units.hpp"
#include "replay/fidelity.hpp"
#include "replay/spread_output.hpp"
#include "replay/statistics.hpp"

namespace tracefold {

namespace {

void print_calls(const ReplayResult& result, Console& console) {
    std::vector<Table::Column> columns = {
        {"call"}, {"calls", kRight}, {"sent", kRight}, {"received", kRight}};
    if (result.has_recorded_times) columns.push_back({"recorded", kRight});
    columns.push_back({"replayed", kRight});
    Table table(columns);
    for (const CallTotals& call : result.totals) {
        std::vector<std::string> row = {std::string(name_of(call.function)),
                                        std::to_string(call.calls), format_size(call.sent),
                                        format_size(call.received)};
        if (result.has_recorded_times) row.push_back(format_time(call.recorded));
        row.push_back(format_time(call.replayed));
        table.add_row(row);
    }
    table.print(console.out());
}

Table spread_table(const std::string& title) {
    return Table({{title}, {"min", kRight}, {"mean", kRight}, {"max", kRight}, {"std", kRight}});
}

void add_spreads(Table& table, const std::string& prefix, const TimeSpreads& times) {
    times.for_each([&](const std::string& name, const Spread& spread) {
        table.add_row(spread_cells(prefix + name, spread));
    });
}

void print_times(const ReplayResult& result, Console& console) {
    Table table = spread_table("time per rank");
    if (result.has_recorded_times) add_spreads(table, "recorded ", result.recorded);
    add_spreads(table, "replayed ", result.replayed);
    table.print(console.out());
}

void print_repetitions(const ReplayResult& result, Console& console) {
    if (result.runs.size() < 2) return;
    Table table = spread_table("over " + std::to_string(result.runs.size()) + " repetitions");
    add_spreads(table, "", spreads_of_runs(result));
    console.out() << '\n';
    table.print(console.out());
}

void print_fidelity(const ReplayArguments& arguments, const ReplayResult& result,
                    Console& console) {
    console.out() << '\n';
    for (const std::string& line : fidelity_statement(arguments, result)) {
        console.out() << line << '\n';
    }
}

void print_inferences(const ReplayResult& result, Console& console) {
    bool any = false;
    for (std::size_t i = 0; i < kInferences; ++i) {
        if (result.inferences[i] == 0) continue;
        console.out() << (any ? "" : "\ninferred, since the trace does not say it:\n") << "  "
                      << result.inferences[i] << "  " << kInferenceTexts[i] << '\n';
        any = true;
    }
}

std::string summary(const ReplayArguments& arguments, const ReplayResult& result) {
    std::string text = arguments.input.path + ": " + std::to_string(result.ranks) + " ranks, " +
                       format_count(result.calls) + " calls, " +
                       format_time(spreads_of_runs(result).wall.mean);
    if (result.has_recorded_times) {
        text += " (recorded " + format_time(result.recorded.wall.maximum) + ")";
    }
    text += ", deltas " + std::string(word_of(arguments.options.deltas));
    if (result.runs.size() > 1) {
        text += ", mean of " + std::to_string(result.runs.size()) + " repetitions";
    }
    return text;
}

void print_proof(const ProofResult& proof, Console& console) {
    console.out() << "\nverified: " << proof.calls << " calls with " << proof.parts
                  << " messages, collectives and completions, " << proof.differences
                  << (proof.differences == 1 ? " difference" : " differences") << ", fingerprint "
                  << fingerprint_text(proof.fingerprint) << '\n';
    for (const auto& [names, count] : proof.substitutes) {
        console.out() << "  " << names.first << " issued as " << names.second << ": " << count
                      << '\n';
    }
    for (const std::string& sentence : proof.first) console.error(sentence);
}

}  // namespace

void report(const ReplayArguments& arguments, const ReplayResult& result, Console& console) {
    if (result.left_out != 0) {
        console.warning("left out " + std::to_string(result.left_out) +
                        " calls that cannot be issued (--unsupported skip)");
    }
    for (const std::string& sentence : shortfalls(arguments, result)) console.error(sentence);
    if (console.json()) {
        JsonWriter json(console.out(), console.json_layout());
        write_json(json, arguments, result);
        return;
    }
    print_calls(result, console);
    console.out() << '\n';
    print_times(result, console);
    print_repetitions(result, console);
    print_fidelity(arguments, result, console);
    if (result.proof) print_proof(*result.proof, console);
    print_inferences(result, console);
    console.summary(summary(arguments, result));
}

}  // namespace tracefold
