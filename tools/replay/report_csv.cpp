// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/csv_lines.hpp"
#include "replay/fidelity.hpp"
#include "replay/report.hpp"
#include "replay/statistics.hpp"

#include <optional>
#include <string>

namespace tracefold {

namespace {

/// Lines of one section, of all ranks or of one.
CsvLines section_lines(std::ostream& out, const std::string& name,
                       std::optional<u64> rank = std::nullopt) {
    return {out, name + "," + (rank ? std::to_string(*rank) : "") + ","};
}

void put_calls(const CsvLines& section, const std::vector<CallTotals>& totals, bool recorded) {
    for (const CallTotals& call : totals) {
        const std::string_view name = name_of(call.function);
        section.number(name, "calls", call.calls);
        section.number(name, "sent_bytes", call.sent);
        section.number(name, "received_bytes", call.received);
        if (recorded) section.number(name, "recorded_seconds", call.recorded);
        section.number(name, "replayed_seconds", call.replayed);
    }
}

void put_sizes(const CsvLines& section, const MeasuredSizes& histogram) {
    for (std::size_t i = 0; i < MeasuredSizes::kBuckets; ++i) {
        const MeasuredSizes::Bucket& bucket = histogram.buckets()[i];
        if (bucket.count == 0) continue;
        const std::string name = std::to_string(MeasuredSizes::lower_bound(i));
        section.number(name, "count", bucket.count);
        section.number(name, "bytes", bucket.bytes);
    }
}

void put_sized_calls(const CsvLines& section, const ReplayResult& result) {
    for (const CallsOfSize& calls : calls_by_size(result)) {
        const std::string name = calls.function + " " + std::to_string(calls.from_bytes);
        section.number(name, "calls", calls.calls);
        section.number(name, "bytes", calls.bytes);
        section.number(name, "replayed_seconds", calls.seconds);
        section.number(name, "shortest_seconds", calls.shortest);
    }
}

void put_times(const CsvLines& section, std::string_view name, const RankTimes& times) {
    section.number(name, "wall_seconds", times.wall);
    section.number(name, "communication_seconds", times.communication);
    section.number(name, "computation_seconds", times.computation());
}

void put_rank(std::ostream& out, const RankDetail& rank, bool recorded) {
    const CsvLines times = section_lines(out, "rank", rank.rank);
    if (!rank.host.empty()) times.text("host", "name", rank.host);
    times.number("threads", "count", rank.threads);
    if (recorded) put_times(times, "recorded", rank.recorded);
    put_times(times, "replayed", rank.replayed);
    times.number("asked", "computation_seconds", rank.asked_computation);
    put_calls(section_lines(out, "call", rank.rank), rank.calls, recorded);
    const CsvLines peers = section_lines(out, "peer", rank.rank);
    for (const PeerMessages& peer : rank.peers) {
        const std::string name = std::to_string(peer.peer);
        peers.number(name, "messages", peer.messages);
        peers.number(name, "bytes", peer.bytes);
    }
    if (rank.other_peers.peer == 0) return;
    peers.number("others", "ranks", rank.other_peers.peer);
    peers.number("others", "messages", rank.other_peers.messages);
    peers.number("others", "bytes", rank.other_peers.bytes);
}

void put_run(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result) {
    const CsvLines run = section_lines(out, "run");
    run.text("input", "name", arguments.input.path);
    run.text("deltas", "name", word_of(arguments.options.deltas));
    run.number("compute_scale", "factor", arguments.options.compute_scale);
    run.number("bytes_scale", "factor", arguments.options.bytes_scale);
    run.number("ranks", "count", u64{result.ranks});
    run.number("threads", "count", u64{result.threads});
    run.number("calls", "count", result.calls);
    run.number("calls_not_issued", "count", result.counted);
    run.number("calls_left_out", "count", result.left_out);
    run.number("buffers", "bytes", result.buffer_bytes);
}

void put_fidelity_lines(std::ostream& out, const ReplayArguments& arguments,
                        const ReplayResult& result) {
    const CsvLines section = section_lines(out, "fidelity");
    const Fidelity& fidelity = result.fidelity;
    section.number("met", "truth", u64{shortfalls(arguments, result).empty() ? 1U : 0U});
    section.number("trace", "calls", fidelity.trace_calls);
    section.number("issued", "calls", fidelity.issued_calls);
    section.number("trace", "bytes", fidelity.trace_bytes);
    section.number("issued", "bytes", fidelity.issued_bytes);
    section.number("asked", "computation_seconds", fidelity.asked_computation);
    section.number("achieved", "computation_seconds", fidelity.achieved_computation);
    section.number("computation", "worst_difference", fidelity.worst_difference);
    if (!result.proof) return;
    section.number("verified", "calls", result.proof->calls);
    section.number("verified", "differences", result.proof->differences);
}

void put_oversubscription(std::ostream& out, const Measurements& measurements) {
    const std::optional<Oversubscription> crowded = measurements.occupancy.oversubscription();
    if (!crowded) return;
    const CsvLines section = section_lines(out, "oversubscription");
    section.number("nodes", "count", crowded->nodes);
    section.number("oversubscribed_nodes", "count", crowded->oversubscribed_nodes);
    section.number("ranks", "count", crowded->ranks);
    section.number("threads", "count", crowded->threads);
    section.number("processors", "count", crowded->processors);
}

}  // namespace

void write_csv(std::ostream& out, const ReplayArguments& arguments, const ReplayResult& result) {
    const bool recorded = result.has_recorded_times;
    out << "section,rank,name,quantity,value\r\n";
    put_run(out, arguments, result);
    const CsvLines total = section_lines(out, "total");
    if (recorded) total.spreads("recorded_", result.recorded);
    total.spreads("replayed_", result.replayed);
    const CsvLines repetitions = section_lines(out, "repetitions");
    repetitions.number("repetitions", "count", u64{result.runs.size()});
    repetitions.spreads("", spreads_of_runs(result));
    put_calls(section_lines(out, "call"), result.totals, recorded);
    put_sized_calls(section_lines(out, "call_size"), result);
    put_sizes(section_lines(out, "message_size"), result.measurements.messages);
    put_sizes(section_lines(out, "collective_size"), result.measurements.collectives);
    for (const RankDetail& rank : result.measurements.ranks.ranks()) put_rank(out, rank, recorded);
    put_fidelity_lines(out, arguments, result);
    put_oversubscription(out, result.measurements);
    const CsvLines inferences = section_lines(out, "inference");
    for (std::size_t i = 0; i < kInferences; ++i) {
        if (result.inferences[i] == 0) continue;
        inferences.number(kInferenceTexts[i], "times", result.inferences[i]);
    }
}

}  // namespace tracefold
