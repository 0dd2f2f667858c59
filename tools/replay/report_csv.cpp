// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/report_csv.hpp"

#include "core/csv_field.hpp"
#include "replay/fidelity.hpp"
#include "replay/statistics.hpp"

#include <optional>
#include <string>

namespace tracefold {

namespace {

/// Lines of one section, of all ranks or of one.
class Lines {
  public:
    Lines(std::ostream& out, std::string_view name, std::optional<u64> rank = std::nullopt)
        : out_(out), start_(std::string(name) + "," + (rank ? std::to_string(*rank) : "") + ",") {}

    void text(std::string_view name, std::string_view quantity, std::string_view value) const {
        out_ << start_ << csv_field(name) << ',' << quantity << ',' << csv_field(value) << "\r\n";
    }
    template <class Number>
    void number(std::string_view name, std::string_view quantity, Number value) const {
        text(name, quantity, csv_number(value));
    }
    void spread(std::string_view name, const Spread& spread) const {
        number(name, "min_seconds", spread.minimum);
        number(name, "mean_seconds", spread.mean);
        number(name, "max_seconds", spread.maximum);
        number(name, "std_seconds", spread.deviation);
    }
    void spreads(const std::string& prefix, const TimeSpreads& times) const {
        spread(prefix + "_wall", times.wall);
        spread(prefix + "_communication", times.communication);
        spread(prefix + "_computation", times.computation);
    }

  private:
    std::ostream& out_;
    std::string start_;
};

void put_calls(const Lines& section, const std::vector<CallTotals>& totals, bool recorded) {
    for (const CallTotals& call : totals) {
        const std::string_view name = name_of(call.function);
        section.number(name, "calls", call.calls);
        section.number(name, "sent_bytes", call.sent);
        section.number(name, "received_bytes", call.received);
        if (recorded) section.number(name, "recorded_seconds", call.recorded);
        section.number(name, "replayed_seconds", call.replayed);
    }
}

void put_sizes(const Lines& section, const MeasuredSizes& histogram) {
    for (std::size_t i = 0; i < MeasuredSizes::kBuckets; ++i) {
        const MeasuredSizes::Bucket& bucket = histogram.buckets()[i];
        if (bucket.count == 0) continue;
        const std::string name = std::to_string(MeasuredSizes::lower_bound(i));
        section.number(name, "count", bucket.count);
        section.number(name, "bytes", bucket.bytes);
    }
}

void put_sized_calls(const Lines& section, const ReplayResult& result) {
    for (const CallsOfSize& calls : calls_by_size(result)) {
        const std::string name = calls.function + " " + std::to_string(calls.from_bytes);
        section.number(name, "calls", calls.calls);
        section.number(name, "bytes", calls.bytes);
        section.number(name, "replayed_seconds", calls.seconds);
        section.number(name, "shortest_seconds", calls.shortest);
    }
}

void put_times(const Lines& section, std::string_view name, const RankTimes& times) {
    section.number(name, "wall_seconds", times.wall);
    section.number(name, "communication_seconds", times.communication);
    section.number(name, "computation_seconds", times.computation());
}

void put_rank(std::ostream& out, const RankDetail& rank, bool recorded) {
    const Lines times(out, "rank", rank.rank);
    if (!rank.host.empty()) times.text("host", "name", rank.host);
    times.number("threads", "count", rank.threads);
    if (recorded) put_times(times, "recorded", rank.recorded);
    put_times(times, "replayed", rank.replayed);
    times.number("asked", "computation_seconds", rank.asked_computation);
    put_calls(Lines(out, "call", rank.rank), rank.calls, recorded);
    const Lines peers(out, "peer", rank.rank);
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
    const Lines run(out, "run");
    run.text("input", "name", arguments.input.path);
    run.text("deltas", "name", word_of(arguments.deltas));
    run.number("compute_scale", "factor", arguments.compute_scale);
    run.number("bytes_scale", "factor", arguments.bytes_scale);
    run.number("ranks", "count", u64{result.ranks});
    run.number("threads", "count", u64{result.threads});
    run.number("calls", "count", result.calls);
    run.number("calls_not_issued", "count", result.counted);
    run.number("calls_left_out", "count", result.left_out);
    run.number("buffers", "bytes", result.buffer_bytes);
}

void put_fidelity_lines(std::ostream& out, const ReplayArguments& arguments,
                        const ReplayResult& result) {
    const Lines section(out, "fidelity");
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
    const Lines section(out, "oversubscription");
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
    const Lines total(out, "total");
    if (recorded) total.spreads("recorded", result.recorded);
    total.spreads("replayed", result.replayed);
    const Lines repetitions(out, "repetitions");
    repetitions.number("repetitions", "count", u64{result.runs.size()});
    repetitions.spread("wall", wall_of_runs(result));
    repetitions.spread("communication", communication_of_runs(result));
    repetitions.spread("computation", computation_of_runs(result));
    put_calls(Lines(out, "call"), result.totals, recorded);
    put_sized_calls(Lines(out, "call_size"), result);
    put_sizes(Lines(out, "message_size"), result.measurements.messages);
    put_sizes(Lines(out, "collective_size"), result.measurements.collectives);
    for (const RankDetail& rank : result.measurements.ranks.ranks()) put_rank(out, rank, recorded);
    put_fidelity_lines(out, arguments, result);
    put_oversubscription(out, result.measurements);
    const Lines inferences(out, "inference");
    for (std::size_t i = 0; i < kInferences; ++i) {
        if (result.inferences[i] == 0) continue;
        inferences.number(kInferenceTexts[i], "times", result.inferences[i]);
    }
}

}  // namespace tracefold
