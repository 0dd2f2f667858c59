// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/report.hpp"

#include "base/text_stream.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "mpi/call_fingerprint.hpp"
#include "replay/statistics.hpp"

#include <optional>
#include <string>

namespace tracefold {

namespace {

void print_calls(const ReplayResult& result, Console& console) {
    std::vector<Table::Column> columns = {
        {"call"}, {"calls", kRight}, {"sent", kRight, 1}, {"received", kRight, 1}};
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
    table.print(console);
}

Table spread_table(const std::string& title) {
    return Table({{title}, {"min", kRight}, {"mean", kRight}, {"max", kRight}, {"std", kRight, 1}});
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
    table.print(console);
}

void print_repetitions(const ReplayResult& result, Console& console) {
    if (result.runs.size() < 2) return;
    Table table = spread_table("over " + std::to_string(result.runs.size()) + " repetitions");
    add_spreads(table, "", spreads_of_runs(result));
    console.text() << '\n';
    table.print(console);
}

void print_fidelity(const ReplayArguments& arguments, const ReplayResult& result,
                    Console& console) {
    console.text() << '\n';
    for (const std::string& line : fidelity_statement(arguments, result)) {
        console.text() << line << '\n';
    }
}

void print_inferences(const ReplayResult& result, Console& console) {
    bool any = false;
    for (std::size_t i = 0; i < kInferences; ++i) {
        if (result.inferences[i] == 0) continue;
        console.text() << (any ? "" : "\ninferred, not recorded in the trace:\n") << "  "
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
    console.text() << "\nverified: " << proof.calls << " calls with " << proof.parts
                   << " messages, collectives and completions, " << proof.differences
                   << (proof.differences == 1 ? " difference" : " differences") << ", fingerprint "
                   << fingerprint_text(proof.fingerprint) << '\n';
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
    console.text() << '\n';
    print_times(result, console);
    print_repetitions(result, console);
    print_fidelity(arguments, result, console);
    if (result.proof) print_proof(*result.proof, console);
    print_inferences(result, console);
    console.summary(summary(arguments, result));
}

namespace {

/// Lines of one section, over all ranks or of one.
CsvLines section_lines(std::ostream& out, const std::string& name,
                       std::optional<u64> rank = std::nullopt) {
    return {out, name + "," + (rank ? std::to_string(*rank) : "") + ","};
}

void put_calls(const CsvLines& section, const std::vector<CallTotals>& totals, bool recorded) {
    for (const CallTotals& call : totals) {
        const std::string_view name = name_of(call.function);
        section.number(name, "calls", call.calls);
        if (call.not_issued != 0) section.number(name, "not_issued", call.not_issued);
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
        section.number(name, "median_seconds", calls.median);
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
    section.number("substituted", "calls", result.proof->substituted());
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

namespace {

constexpr int kSchemaVersion = 1;

void put_proof(JsonWriter& json, const ProofResult& proof) {
    json.key("verified")
        .begin_object()
        .member("calls", proof.calls)
        .member("parts", proof.parts)
        .member("differences", proof.differences)
        .member("substituted", proof.substituted())
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

void put_left_out(JsonWriter& json, const ReplayResult& result) {
    if (result.left_out_calls.empty()) return;
    json.key("left_out").begin_array();
    for (const auto& [name, calls] : result.left_out_calls) {
        json.begin_object()
            .member("function", name)
            .member("calls", calls)
            .member("reason", why_not_issued(name))
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
        if (call.not_issued != 0) {
            json.member("not_issued", call.not_issued);
            json.member("reason", why_not_issued(name_of(call.function)));
        }
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
    json.key("list").begin_array();
    for (const RunTimes& run : result.runs) {
        json.begin_object()
            .member("wall", run.wall)
            .member("communication", run.communication)
            .member("computation", run.computation)
            .member("waited_for_processor", run.delayed)
            .end_object();
    }
    json.end_array().end_object();
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
        .member("spread_bytes", spread_bytes(result))
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

/// Further options that affect issued calls and their times.
void put_options(JsonWriter& json, const ReplayArguments& arguments) {
    const WindowRequest& window = arguments.options.window;
    json.key("options")
        .begin_object()
        .member("sleep", arguments.options.sleep)
        .member("wildcards", word_of(arguments.options.wildcards));
    if (arguments.options.buffers != BufferPlace::host)
        json.member("buffers", word_of(arguments.options.buffers));
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
            .member("median_seconds", calls.median);
        json.key("repetitions").begin_array();
        for (const CallsOfSize::Run& run : calls.runs) {
            json.begin_object()
                .member("seconds", run.seconds)
                .member("shortest", run.shortest)
                .member("median", run.median)
                .end_object();
        }
        json.end_array().end_object();
    }
    json.end_array();
}

/// "0-3,8": numbers in ascending order.
std::string ranges_of(const std::vector<u64>& numbers) {
    std::string text;
    for (std::size_t i = 0; i < numbers.size();) {
        std::size_t end = i + 1;
        while (end < numbers.size() && numbers[end] == numbers[end - 1] + 1) ++end;
        text += (text.empty() ? "" : ",") + std::to_string(numbers[i]);
        if (end > i + 1) text += '-' + std::to_string(numbers[end - 1]);
        i = end;
    }
    return text;
}

std::string ranges_of(const ProcessorSet& processors) {
    std::vector<u64> numbers;
    for (std::size_t i = 0; i < 64 * processors.words.size(); ++i) {
        if ((processors.words[i / 64] >> i % 64 & 1U) != 0) numbers.push_back(i);
    }
    return ranges_of(numbers);
}

void put_nodes(JsonWriter& json, const Occupancy& occupancy, bool hosts) {
    json.key("nodes").begin_array();
    const std::string* node = nullptr;
    for (const auto& [set, users] : occupancy.users()) {
        if (node == nullptr || *node != set.node) {
            if (node != nullptr) json.end_array().end_object();
            node = &set.node;
            json.begin_object();
            if (hosts) json.member("host", set.node);
            json.member("processors", set.online).key("pinning").begin_array();
        }
        std::vector<u64> ranks = users.ranks;
        std::ranges::sort(ranks);
        json.begin_object()
            .member("ranks", ranges_of(ranks))
            .member("threads", users.threads)
            .member("processors", ranges_of(set))
            .end_object();
    }
    if (node != nullptr) json.end_array().end_object();
    json.end_array();
}

void put_environment(JsonWriter& json, const ReplayArguments& arguments,
                     const ReplayResult& result) {
    const ReplayMachine& machine = result.machine;
    json.key("environment")
        .begin_object()
        .member("tracefold", TRACEFOLD_VERSION)
        .member("mpi", machine.mpi)
        .member("mpi_standard", machine.standard)
        .member("command", arguments.command)
        .member("date", machine.date)
        .member("clock", machine.clock)
        .member("clock_resolution_seconds", machine.resolution);
    json.member("rank_mapping", word_of(arguments.mapping))
        .member("idle_processes", arguments.idle_processes);
    put_nodes(json, result.measurements.occupancy, arguments.options.hosts);
    json.end_object();
}

/// Omitted if every thread can have its own processor.
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
    put_left_out(json, result);
    json.member("stopped", result.stopped);
    put_options(json, arguments);
    put_environment(json, arguments, result);
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

ReportFiles::ReportFiles(const std::vector<std::string>& names, bool force) : names_(names) {
    for (const std::string& name : names) files_.emplace_back(name, force);
}

void ReportFiles::write(const std::function<void(JsonWriter&)>& json,
                        const std::function<void(std::ostream&)>& csv,
                        const std::function<void(std::ostream&)>& html) {
    for (std::size_t i = 0; i < files_.size(); ++i) {
        TextStream out;
        if (names_[i].ends_with(".json")) {
            JsonWriter writer(out, JsonLayout::pretty);
            json(writer);
        } else if (names_[i].ends_with(".csv")) {
            csv(out);
        } else {
            html(out);
        }
        files_[i].write(out.str());
        files_[i].commit();
    }
}

}  // namespace tracefold
