// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/timing_model_codec.hpp"

#include "format/timing_model_reader.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// histogram := 0 | n first count{n} (min - start) (max - start) [signed(sum - sum of middles)]
void put_histogram(ByteWriter& out, const LogHistogram& histogram) {
    if (histogram.count() == 0) return out.put_varint(0);
    const std::vector<u64>& buckets = histogram.buckets();
    const u32 first = log_bucket(histogram.min());
    out.put_varint(buckets.size() - first);
    out.put_varint(first);
    for (std::size_t b = first; b < buckets.size(); ++b) out.put_varint(buckets[b]);
    out.put_varint(histogram.min() - log_bucket_start(first));
    out.put_varint(histogram.max() - log_bucket_start(static_cast<u32>(buckets.size() - 1)));
    if (histogram.min() == histogram.max()) return;
    out.put_signed(static_cast<i64>(histogram.sum() - sum_of_middles(buckets)));
}

/// durations := histogram n (gap (count-1) signed(place of mean - place of the mean of all))*
void put_durations(ByteWriter& out, const Durations& durations) {
    put_histogram(out, durations.all);
    out.put_varint(durations.means.size());
    u32 next = 0;
    const i64 usual = mean_place(rounded_mean(durations.all.mean()));
    for (const MeanRun& run : durations.means) {
        out.put_varint(run.first - next);
        out.put_varint(run.count - 1);
        out.put_signed(mean_place(run.mean) - usual);
        next = run.first + run.count;
    }
}

void put_node(ByteWriter& out, const TimingModel::Node& node) {
    out.put_varint(node.steps.size());
    for (const TimingModel::Step& step : node.steps) {
        out.put_varint(step.count);
        out.put_varint(step.sum);
    }
    put_durations(out, node.durations);
}

bool fits(const TimingModel& model, const Structure& structure) {
    const std::vector<Symbol>& symbols = structure.symbols;
    const auto has_node = [&symbols](const TimingModel::Node& node) {
        return node.symbol < symbols.size() &&
               node.steps.size() == symbols[node.symbol].elements.size();
    };
    const auto has_edge = [&symbols](const TimingModel::Edge& edge) {
        return edge.to < symbols.size() && edge.from < symbols.size();
    };
    return std::all_of(model.nodes.begin(), model.nodes.end(), has_node) &&
           std::all_of(model.edges.begin(), model.edges.end(), has_edge);
}

}  // namespace

std::string encode_timing_model(const TimingModel& model) {
    ByteWriter out;
    u32 last = 0;
    out.put_varint(model.nodes.size());
    for (const TimingModel::Node& node : model.nodes) {
        out.put_varint(node.symbol - last);
        put_node(out, node);
        last = node.symbol;
    }
    last = 0;
    out.put_varint(model.edges.size());
    for (const TimingModel::Edge& edge : model.edges) {
        out.put_varint(edge.to - last);
        out.put_varint(edge.from);
        put_durations(out, edge.durations);
        last = edge.to;
    }
    return out.take();
}

TimingModel read_timing_model(FieldReader& in) { return TimingModelReader(in).read(); }

TimingModel read_timing_model(FieldReader& in, const Structure& structure) {
    TimingModel model = read_timing_model(in);
    if (!fits(model, structure)) in.fail("the durations do not fit the structure");
    return model;
}

std::string encode_partial_timings(const PartialTimings& partial) {
    ByteWriter out;
    out.put_varint(partial.symbols.size());
    for (const ContentHash& address : partial.symbols) {
        out.put_u64le(address.low);
        out.put_u64le(address.high);
    }
    out.put_bytes(encode_timing_model(partial.model));
    return out.take();
}

PartialTimings decode_partial_timings(std::string_view bytes) {
    FieldReader in(bytes, "the durations from another process");
    PartialTimings partial;
    const u64 symbols = in.get_count(16);
    for (u64 i = 0; i < symbols; ++i) {
        const u64 low = in.get_u64le();
        partial.symbols.push_back({low, in.get_u64le()});
    }
    partial.model = read_timing_model(in);
    return partial;
}

}  // namespace tracefold
