// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "replay/fidelity.hpp"
#include "replay/report.hpp"
#include "replay/spread_output.hpp"
#include "replay/statistics.hpp"

namespace tracefold {

namespace {

constexpr int kSchemaVersion = 1;

void put_proof(JsonWriter& json, const ProofResult& proof) {
    json.key("verified")
        .begin_object()
        .member("calls", proof.calls)
        .member("parts", proof.parts)
        .member("differences", proof.differences)
        .member("fingerprint", fingerprint_text(proof.fingerprint));
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

void put_times(JsonWriter& json, std::string_view key, const TimeSpreads& times) {
    json.key(key).begin_object();
    put_spreads(json, times);
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

void put_calls(JsonWriter& json, const std::vector<CallTotals>& totals, bool recorded) {
    json.key("calls_by_function").begin_array();
    for (const CallTotals& call : totals) {
        json.begin_object()
            .member("function", name_of(call.function))
            .member("calls", call.calls)
            .member("sent_bytes", call.sent)
            .member("received_bytes", call.received);
        if (recorded) json.member("recorded_seconds", call.recorded);
        json.member("replayed_seconds", call.replayed).end_object();
    }
    json.end_array();
}

void put_runs(JsonWriter& json, const ReplayResult& result) {
    json.key("wall_seconds").begin_array();
    for (const RunTimes& run : result.runs) json.value(run.wall);
    json.end_array();
    json.key("repetitions").begin_object().member("count", result.runs.size());
    put_spreads(json, spreads_of_runs(result));
    json.end_object();
}

void put_sizes(JsonWriter& json, std::string_view key, const MeasuredSizes& histogram) {
    json.key(key).begin_array();
    for (std::size_t i = 0; i < MeasuredSizes::kBuckets; ++i) {
        const MeasuredSizes::Bucket& bucket = histogram.buckets()[i];
        if (bucket.count == 0) continue;
        json.begin_object()
            .member("from_bytes", MeasuredSizes::lower_bound(i))
            .member("count", bucket.count)
            .member("bytes", bucket.bytes)
            .end_object();
    }
    json.end_array();
}

void put_rank_times(JsonWriter& json, std::string_view key, const RankTimes& times) {
    json.key(key)
        .begin_object()
        .member("wall", times.wall)
        .member("communication", times.communication)
        .member("computation", times.computation())
        .end_object();
}

void put_peers(JsonWriter& json, const RankDetail& rank) {
    json.key("peers").begin_array();
    for (const PeerMessages& peer : rank.peers) {
        json.begin_object()
            .member("rank", peer.peer)
            .member("messages", peer.messages)
            .member("bytes", peer.bytes)
            .end_object();
    }
    json.end_array();
    if (rank.other_peers.peer == 0) return;
    json.key("other_peers")
        .begin_object()
        .member("ranks", rank.other_peers.peer)
        .member("messages", rank.other_peers.messages)
        .member("bytes", rank.other_peers.bytes)
        .end_object();
}

void put_rank(JsonWriter& json, const RankDetail& rank, bool recorded) {
    json.begin_object().member("rank", rank.rank);
    if (!rank.host.empty()) json.member("host", rank.host);
    json.member("threads", rank.threads);
    if (recorded) put_rank_times(json, "recorded", rank.recorded);
    put_rank_times(json, "replayed", rank.replayed);
    json.member("asked_computation", rank.asked_computation);
    put_calls(json, rank.calls, recorded);
    put_peers(json, rank);
    json.end_object();
}

void put_fidelity(JsonWriter& json, const ReplayArguments& arguments, const ReplayResult& result) {
    const Fidelity& fidelity = result.fidelity;
    const std::vector<std::string> lacking = shortfalls(arguments, result);
    json.key("fidelity")
        .begin_object()
        .member("met", lacking.empty())
        .member("trace_calls", fidelity.trace_calls)
        .member("issued_calls", fidelity.issued_calls)
        .member("trace_bytes", fidelity.trace_bytes)
        .member("issued_bytes", fidelity.issued_bytes)
        .member("order_verified", result.proof.has_value())
        .member("deltas", word_of(arguments.options.deltas))
        .member("asked_computation", fidelity.asked_computation)
        .member("achieved_computation", fidelity.achieved_computation)
        .member("worst_difference", fidelity.worst_difference);
    if (arguments.tolerance) json.member("tolerance", *arguments.tolerance);
    json.key("shortfalls").begin_array();
    for (const std::string& sentence : lacking) json.value(sentence);
    json.end_array().end_object();
}

/// What else decides on what is issued and when.
void put_options(JsonWriter& json, const ReplayArguments& arguments) {
    const WindowRequest& window = arguments.options.window;
    json.key("options")
        .begin_object()
        .member("sleep", arguments.options.sleep)
        .member("wildcards", word_of(arguments.options.wildcards));
    if (arguments.options.neighbour_bytes)
        json.member("neighbour_bytes", *arguments.options.neighbour_bytes);
    if (window.from) json.member("from", word_of(*window.from));
    if (window.to) json.member("to", word_of(*window.to));
    json.member("verify", arguments.options.verify)
        .member("unsupported", arguments.options.skip_unsupported ? "skip" : "error")
        .end_object();
}

void put_sized_calls(JsonWriter& json, const ReplayResult& result) {
    json.key("calls_by_size").begin_array();
    for (const CallsOfSize& calls : calls_by_size(result)) {
        json.begin_object()
            .member("function", calls.function)
            .member("from_bytes", calls.from_bytes)
            .member("calls", calls.calls)
            .member("bytes", calls.bytes)
            .member("replayed_seconds", calls.seconds)
            .member("shortest_seconds", calls.shortest)
            .end_object();
    }
    json.end_array();
}

/// Left out if every thread can have a processor of its own.
void put_oversubscription(JsonWriter& json, const Measurements& measurements) {
    const std::optional<Oversubscription> crowded = measurements.occupancy.oversubscription();
    if (!crowded) return;
    json.key("oversubscription")
        .begin_object()
        .member("nodes", crowded->nodes)
        .member("oversubscribed_nodes", crowded->oversubscribed_nodes)
        .member("ranks", crowded->ranks)
        .member("threads", crowded->threads)
        .member("processors", crowded->processors)
        .end_object();
}

}  // namespace

void write_json(JsonWriter& json, const ReplayArguments& arguments, const ReplayResult& result) {
    const bool recorded = result.has_recorded_times;
    begin_document(json, "replay", kSchemaVersion)
        .member("input", arguments.input.path)
        .member("trace", fingerprint_text(result.trace))
        .member("ranks", result.ranks)
        .member("threads", result.threads)
        .member("deltas", word_of(arguments.options.deltas))
        .member("seed", arguments.options.seed)
        .member("compute_scale", arguments.options.compute_scale)
        .member("bytes_scale", arguments.options.bytes_scale)
        .member("calls", result.calls)
        .member("calls_not_issued", result.counted)
        .member("calls_left_out", result.left_out)
        .member("buffer_bytes", result.buffer_bytes);
    put_options(json, arguments);
    put_runs(json, result);
    if (recorded) put_times(json, "recorded", result.recorded);
    put_times(json, "replayed", result.replayed);
    put_calls(json, result.totals, recorded);
    put_sized_calls(json, result);
    put_sizes(json, "message_sizes", result.measurements.messages);
    put_sizes(json, "collective_sizes", result.measurements.collectives);
    json.key("ranks_in_detail").begin_array();
    for (const RankDetail& rank : result.measurements.ranks.ranks()) put_rank(json, rank, recorded);
    json.end_array();
    put_fidelity(json, arguments, result);
    put_oversubscription(json, result.measurements);
    if (result.proof) put_proof(json, *result.proof);
    put_inferences(json, result);
    json.end_object();
}

}  // namespace tracefold
