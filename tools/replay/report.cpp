// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/report.hpp"

#include "common/json_writer.hpp"
#include "common/table.hpp"
#include "common/units.hpp"

#include <numeric>

namespace tracefold {

namespace {

double mean_wall(const ReplayResult& result) {
    return std::accumulate(result.walls.begin(), result.walls.end(), 0.0) /
           static_cast<double>(result.walls.size());
}

std::string_view name_of(DeltaChoice deltas) {
    constexpr std::string_view names[] = {"none", "mean", "sample", "exact"};
    return names[static_cast<std::size_t>(deltas)];
}

void print_calls(const ReplayResult& result, Console& console) {
    using Align = Table::Align;
    std::vector<Table::Column> columns = {{"call", Align::left},
                                          {"calls", Align::right},
                                          {"sent", Align::right},
                                          {"received", Align::right}};
    if (result.has_recorded_times) columns.push_back({"recorded", Align::right});
    columns.push_back({"replayed", Align::right});
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

void add_time_row(Table& table, const std::string& name, const Spread& spread) {
    table.add_row({name, format_time(spread.minimum), format_time(spread.mean),
                   format_time(spread.maximum), format_time(spread.deviation)});
}

void add_time_rows(Table& table, const std::string& what, const TimeSpreads& times) {
    add_time_row(table, what + " wall", times.wall);
    add_time_row(table, what + " communication", times.communication);
    add_time_row(table, what + " computation", times.computation);
}

void print_times(const ReplayResult& result, Console& console) {
    using Align = Table::Align;
    Table table({{"time per rank", Align::left},
                 {"min", Align::right},
                 {"mean", Align::right},
                 {"max", Align::right},
                 {"std", Align::right}});
    if (result.has_recorded_times) add_time_rows(table, "recorded", result.recorded);
    add_time_rows(table, "replayed", result.replayed);
    table.print(console.out());
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
    std::string text = arguments.input + ": " + std::to_string(result.ranks) + " ranks, " +
                       format_count(result.calls) + " calls, " + format_time(mean_wall(result));
    if (result.has_recorded_times) {
        text += " (recorded " + format_time(result.recorded.wall.maximum) + ")";
    }
    text += ", deltas " + std::string(name_of(arguments.deltas));
    if (result.walls.size() > 1) {
        text += ", mean of " + std::to_string(result.walls.size()) + " repetitions";
    }
    return text;
}

std::string fingerprint_text(const ProofResult& proof) {
    constexpr std::string_view kDigits = "0123456789abcdef";
    std::string text;
    for (int shift = 60; shift >= 0; shift -= 4) {
        text += kDigits[(proof.fingerprint >> static_cast<unsigned>(shift)) & 0xFU];
    }
    return text;
}

void print_proof(const ProofResult& proof, Console& console) {
    console.out() << "\nverified: " << proof.calls << " calls with " << proof.parts
                  << " messages, collectives and completions, " << proof.differences
                  << (proof.differences == 1 ? " difference" : " differences") << ", fingerprint "
                  << fingerprint_text(proof) << '\n';
    for (const auto& [names, count] : proof.substitutes) {
        console.out() << "  " << names.first << " issued as " << names.second << ": " << count
                      << '\n';
    }
    for (const std::string& sentence : proof.first) console.error(sentence);
}

void put_proof(JsonWriter& json, const ProofResult& proof) {
    json.key("verified")
        .begin_object()
        .member("calls", proof.calls)
        .member("parts", proof.parts)
        .member("differences", proof.differences)
        .member("fingerprint", fingerprint_text(proof));
    json.key("first_differences").begin_array();
    for (const std::string& sentence : proof.first) json.value(sentence);
    json.end_array();
    json.key("substitutes").begin_array();
    for (const auto& [names, count] : proof.substitutes) {
        json.begin_object()
            .member("recorded", names.first)
            .member("issued", names.second)
            .member("calls", count)
            .end_object();
    }
    json.end_array().end_object();
}

void put_spread(JsonWriter& json, std::string_view key, const Spread& spread) {
    json.key(key)
        .begin_object()
        .member("min", spread.minimum)
        .member("mean", spread.mean)
        .member("max", spread.maximum)
        .member("std", spread.deviation)
        .end_object();
}

void put_times(JsonWriter& json, std::string_view key, const TimeSpreads& times) {
    json.key(key).begin_object();
    put_spread(json, "wall", times.wall);
    put_spread(json, "communication", times.communication);
    put_spread(json, "computation", times.computation);
    json.end_object();
}

void put_inferences(JsonWriter& json, const ReplayResult& result) {
    json.key("inferences").begin_array();
    for (std::size_t i = 0; i < kInferences; ++i) {
        if (result.inferences[i] == 0) continue;
        json.begin_object()
            .member("what", kInferenceTexts[i])
            .member("times", result.inferences[i])
            .end_object();
    }
    json.end_array();
}

void put_calls(JsonWriter& json, const ReplayResult& result) {
    json.key("calls_by_function").begin_array();
    for (const CallTotals& call : result.totals) {
        json.begin_object()
            .member("function", name_of(call.function))
            .member("calls", call.calls)
            .member("sent_bytes", call.sent)
            .member("received_bytes", call.received);
        if (result.has_recorded_times) json.member("recorded_seconds", call.recorded);
        json.member("replayed_seconds", call.replayed).end_object();
    }
    json.end_array();
}

void print_json(const ReplayArguments& arguments, const ReplayResult& result, Console& console) {
    JsonWriter json(console.out(), console.json_layout());
    json.begin_object()
        .member("schema_version", 1)
        .member("input", arguments.input)
        .member("ranks", result.ranks)
        .member("threads", result.threads)
        .member("deltas", name_of(arguments.deltas))
        .member("seed", u64{arguments.seed})
        .member("compute_scale", arguments.compute_scale)
        .member("bytes_scale", arguments.bytes_scale)
        .member("calls", result.calls)
        .member("calls_not_issued", result.counted)
        .member("calls_left_out", result.left_out)
        .member("buffer_bytes", result.buffer_bytes);
    json.key("wall_seconds").begin_array();
    for (const double wall : result.walls) json.value(wall);
    json.end_array();
    if (result.has_recorded_times) put_times(json, "recorded", result.recorded);
    put_times(json, "replayed", result.replayed);
    put_calls(json, result);
    if (result.proof) put_proof(json, *result.proof);
    put_inferences(json, result);
    json.end_object();
}

}  // namespace

void report(const ReplayArguments& arguments, const ReplayResult& result, Console& console) {
    if (result.left_out != 0) {
        console.warning("left out " + std::to_string(result.left_out) +
                        " calls that cannot be issued (--unsupported skip)");
    }
    if (console.json()) {
        print_json(arguments, result, console);
        return;
    }
    print_calls(result, console);
    console.out() << '\n';
    print_times(result, console);
    if (result.proof) print_proof(*result.proof, console);
    print_inferences(result, console);
    console.summary(summary(arguments, result));
}

}  // namespace tracefold
