// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "replay/compare/compare.hpp"
#include "replay/compare/compare_words.hpp"
#include "replay/spread_output.hpp"

namespace tracefold {

namespace {

void put_compared_rank(JsonWriter& json, const ReportedRank& rank) {
    json.begin_object().member("rank", rank.rank);
    if (!rank.host.empty()) json.member("host", rank.host);
    json.member("wall", rank.wall)
        .member("communication", rank.communication)
        .member("computation", rank.computation)
        .end_object();
}

void put_compared_report(JsonWriter& json, const MachineReport& report) {
    json.begin_object()
        .member("name", report.name)
        .member("file", report.path)
        .member("repetitions", report.repetitions)
        .member("met", report.met)
        .member("oversubscribed", report.oversubscribed);
    put_spreads(json, report.times);
    json.key("ranks_in_detail").begin_array();
    for (const ReportedRank& rank : report.ranks_in_detail) put_compared_rank(json, rank);
    json.end_array().end_object();
}

/// What a report says of these calls; null if it has none.
void put_compared_calls_of(JsonWriter& json, const ComparedCalls& calls,
                           const std::optional<CallsOfSize>& of) {
    if (!of) {
        json.null();
        return;
    }
    json.begin_object()
        .member("calls", of->calls)
        .member("bytes", of->bytes)
        .member("seconds", of->seconds)
        .member("mean_seconds", of->mean());
    if (of->shortest > 0) json.member("shortest_seconds", of->shortest);
    if (calls.part == CallPart::whole && of->bytes != 0)
        json.member("bytes_per_second", of->bandwidth());
    json.end_object();
}

void put_compared_calls(JsonWriter& json, const ComparedCalls& calls) {
    json.key("reports").begin_array();
    for (const std::optional<CallsOfSize>& of : calls.reports)
        put_compared_calls_of(json, calls, of);
    json.end_array();
}

void put_parts(JsonWriter& json, const Comparison& comparison, const Explanation& explanation) {
    json.begin_object()
        .member("report", comparison.reports[explanation.report].name)
        .member("seconds", explanation.other - explanation.first)
        .member("sentence", explanation_words(comparison, explanation));
    json.key("parts").begin_array();
    for (const DifferencePart& part : explanation.parts) {
        json.begin_object();
        if (!part.function.empty())
            json.member("function", part.function).member("from_bytes", part.from_bytes);
        json.member("seconds", part.difference())
            .member("by_shortest_seconds", part.by_shortest)
            .member("by_waiting_seconds", part.by_waiting())
            .end_object();
    }
    json.end_array().end_object();
}

}  // namespace

void write_comparison_json(JsonWriter& json, const Comparison& comparison) {
    const MachineReport& first = comparison.reports.front();
    begin_document(json, "replay_comparison")
        .member("input", first.input)
        .member("ranks", first.ranks)
        .member("calls", first.calls);
    json.key("choices").begin_object();
    for (const ReplayChoice& choice : first.choices) json.member(choice.name, choice.value);
    json.end_object();
    json.key("reports").begin_array();
    for (const MachineReport& report : comparison.reports) put_compared_report(json, report);
    json.end_array();
    json.key("calls_by_size").begin_array();
    for (const ComparedCalls& calls : comparison.calls) {
        json.begin_object()
            .member("function", calls.function)
            .member("from_bytes", *calls.from_bytes);
        put_compared_calls(json, calls);
        json.end_object();
    }
    json.end_array();
    if (comparison.non_blocking) {
        json.key("non_blocking").begin_object();
        put_compared_calls(json, *comparison.non_blocking);
        json.end_object();
    }
    json.key("differences").begin_array();
    for (const Explanation& explanation : comparison.explanations)
        put_parts(json, comparison, explanation);
    json.end_array().end_object();
}

}  // namespace tracefold
