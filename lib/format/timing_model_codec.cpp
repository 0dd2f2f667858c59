// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/timing_model_codec.hpp"

#include "format/column_codec.hpp"
#include "format/column_nesting.hpp"
#include "format/timing_model_reader.hpp"

#include <algorithm>

namespace tracefold::inline format {

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

/// nodes and edges, each with its histogram
void put_model(ByteWriter& out, const TimingModel& model) {
    u32 last = 0;
    out.put_varint(model.nodes.size());
    for (const TimingModel::Node& node : model.nodes) {
        out.put_varint(node.symbol - last);
        out.put_varint(node.steps.size());
        for (const TimingModel::Step& step : node.steps) {
            out.put_varint(step.count);
            out.put_varint(step.sum);
        }
        put_histogram(out, node.durations.all);
        last = node.symbol;
    }
    last = 0;
    out.put_varint(model.edges.size());
    for (const TimingModel::Edge& edge : model.edges) {
        out.put_varint(edge.to - last);
        out.put_varint(edge.from);
        put_histogram(out, edge.durations.all);
        last = edge.to;
    }
}

/// means := n (first count mean)*
void put_means(ByteWriter& out, const std::vector<MeanRun>& means) {
    out.put_varint(means.size());
    for (const MeanRun& run : means) {
        out.put_varint(run.first);
        out.put_varint(run.count);
        out.put_varint(run.mean);
    }
}

std::vector<MeanRun> get_means(ByteReader& in) {
    std::vector<MeanRun> means;
    for (u64 left = in.get_count(3); left > 0; --left) {
        const u32 first = in.get_u32();
        const u32 count = in.get_u32();
        means.push_back({first, count, in.get_varint()});
    }
    return means;
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

/// durations := nodes edges mention(means)*
std::string encode_durations(const FoldedDurations& durations) {
    ByteWriter out;
    put_model(out, durations.model);
    const MeanColumns& means = durations.means;
    ColumnWriter columns(out, means.patterns, means.columns, means.known_patterns,
                         means.known_columns);
    for (const u32 column : means.of) columns.put_column(column);
    return out.take();
}

FoldedDurations read_durations(FieldReader& in, const Structure& structure) {
    const u64 max_nodes = most_nodes(in.remaining());
    FoldedDurations durations{TimingModelReader(in, structure.location_count).read(), {}};
    const TimingModel& model = durations.model;
    if (!fits(model, structure)) in.fail("the durations do not fit the structure");
    MeanColumns& means = durations.means;
    means.patterns = structure.patterns;
    means.columns = structure.columns;
    means.known_patterns = static_cast<u32>(means.patterns.size());
    means.known_columns = static_cast<u32>(means.columns.size());
    ColumnReader columns(in, means.patterns, means.columns);
    for (std::size_t left = model.nodes.size() + model.edges.size(); left > 0; --left) {
        means.of.push_back(columns.get_column());
    }
    in.expect_end();
    check_nesting(means.patterns, means.columns, max_nodes, in, means.known_columns);
    return durations;
}

std::string encode_partial_timings(const PartialTimings& partial) {
    ByteWriter out;
    out.put_varint(partial.symbols.size());
    for (const ContentHash& address : partial.symbols) {
        out.put_u64le(address.low);
        out.put_u64le(address.high);
    }
    put_model(out, partial.model);
    for (const TimingModel::Node& node : partial.model.nodes) put_means(out, node.durations.means);
    for (const TimingModel::Edge& edge : partial.model.edges) put_means(out, edge.durations.means);
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
    partial.model = TimingModelReader(in, 0).read();
    for (TimingModel::Node& node : partial.model.nodes) node.durations.means = get_means(in);
    for (TimingModel::Edge& edge : partial.model.edges) edge.durations.means = get_means(in);
    in.expect_end();
    return partial;
}

}  // namespace tracefold::inline format
