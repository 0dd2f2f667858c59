// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/timing_model_codec.hpp"

#include "io/bytes.hpp"

#include <utility>

namespace tracefold {

namespace {

/// What the sum would be if every number stood in the middle of its bucket.
u64 expected_sum(const std::vector<u64>& buckets) {
    u64 sum = 0;
    for (u32 b = 0; b < buckets.size(); ++b) sum += buckets[b] * log_bucket_middle(b);
    return sum;
}

/// histogram := 0 | n first count{n} signed(sum - expected) (min - start) (max - start)
void put_histogram(ByteWriter& out, const LogHistogram& histogram) {
    if (histogram.count() == 0) return out.put_varint(0);
    const std::vector<u64>& buckets = histogram.buckets();
    const u32 first = log_bucket(histogram.min());
    out.put_varint(buckets.size() - first);
    out.put_varint(first);
    for (std::size_t b = first; b < buckets.size(); ++b) out.put_varint(buckets[b]);
    out.put_signed(static_cast<i64>(histogram.sum() - expected_sum(buckets)));
    out.put_varint(histogram.min() - log_bucket_start(first));
    out.put_varint(histogram.max() - log_bucket_start(static_cast<u32>(buckets.size() - 1)));
}

LogHistogram get_histogram(ByteReader& in) {
    const u64 size = in.get_count(1);
    if (size == 0) return {};
    const u64 first = in.get_varint();
    if (size > kLogBuckets || first > kLogBuckets - size) in.fail("a histogram is too wide");
    std::vector<u64> buckets(first + size, 0);
    for (std::size_t b = first; b < buckets.size(); ++b) buckets[b] = in.get_varint();
    if (buckets[first] == 0 || buckets.back() == 0) in.fail("a histogram is too wide");
    const u64 sum = expected_sum(buckets) + static_cast<u64>(in.get_signed());
    const u64 min = log_bucket_start(static_cast<u32>(first)) + in.get_varint();
    const u64 max = log_bucket_start(static_cast<u32>(buckets.size() - 1)) + in.get_varint();
    if (log_bucket(min) != first || log_bucket(max) + 1 != buckets.size() || min > max) {
        in.fail("the extremes of a histogram lie outside its buckets");
    }
    return LogHistogram::from_parts(std::move(buckets), sum, min, max);
}

/// durations := histogram n (gap (count-1) signed(mean - last mean))*
void put_durations(ByteWriter& out, const Durations& durations) {
    put_histogram(out, durations.all);
    out.put_varint(durations.means.size());
    u32 next = 0;
    u64 last = rounded_mean(durations.all.mean());
    for (const MeanRun& run : durations.means) {
        out.put_varint(run.first - next);
        out.put_varint(run.count - 1);
        out.put_signed(static_cast<i64>(run.mean - last));
        next = run.first + run.count;
        last = run.mean;
    }
}

Durations get_durations(ByteReader& in) {
    Durations durations;
    durations.all = get_histogram(in);
    u64 next = 0;
    u64 last = rounded_mean(durations.all.mean());
    const u64 runs = in.get_count(3);
    for (u64 i = 0; i < runs; ++i) {
        const u64 gap = in.get_varint();
        const u64 more = in.get_varint();
        if (gap >= kNone - next || more >= kNone - next - gap) {
            in.fail("a mean belongs to no location");
        }
        const u64 first = next + gap;
        last += static_cast<u64>(in.get_signed());
        durations.means.push_back({static_cast<u32>(first), static_cast<u32>(more + 1), last});
        next = first + more + 1;
    }
    return durations;
}

void put_node(ByteWriter& out, const TimingModel::Node& node) {
    put_durations(out, node.durations);
    out.put_varint(node.steps.size());
    for (const TimingModel::Step& step : node.steps) {
        out.put_varint(step.count);
        out.put_varint(step.sum);
    }
}

TimingModel::Node get_node(ByteReader& in, u32 symbol) {
    TimingModel::Node node{symbol, get_durations(in), {}};
    const u64 steps = in.get_count(2);
    for (u64 i = 0; i < steps; ++i) {
        const u64 count = in.get_varint();
        node.steps.push_back({count, in.get_varint()});
    }
    return node;
}

/// model := n (gap node)* m (gap(to) from durations)*
TimingModel get_model(ByteReader& in) {
    TimingModel model;
    const auto advanced = [&in](u64 number) {
        number += in.get_varint();
        if (number >= kNone) in.fail("a duration belongs to no symbol");
        return number;
    };
    u64 symbol = 0;
    const u64 nodes = in.get_count(4);
    for (u64 i = 0; i < nodes; ++i) {
        symbol = advanced(symbol);
        model.nodes.push_back(get_node(in, static_cast<u32>(symbol)));
    }
    u64 to = 0;
    const u64 edges = in.get_count(4);
    for (u64 i = 0; i < edges; ++i) {
        to = advanced(to);
        const u32 from = static_cast<u32>(advanced(0));
        model.edges.push_back({from, static_cast<u32>(to), get_durations(in)});
    }
    in.expect_end();
    return model;
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

TimingModel decode_timing_model(std::string_view bytes, const Structure& structure,
                                const std::string& name) {
    ByteReader in(bytes, name);
    TimingModel model = get_model(in);
    const std::vector<Symbol>& symbols = structure.symbols;
    for (const TimingModel::Node& node : model.nodes) {
        if (node.symbol >= symbols.size() ||
            node.steps.size() != symbols[node.symbol].elements.size()) {
            in.fail("the durations do not fit the structure");
        }
    }
    for (const TimingModel::Edge& edge : model.edges) {
        if (edge.to >= symbols.size() || edge.from >= symbols.size()) {
            in.fail("the durations do not fit the structure");
        }
    }
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
    ByteReader in(bytes, "the durations from another process");
    PartialTimings partial;
    const u64 symbols = in.get_count(16);
    for (u64 i = 0; i < symbols; ++i) {
        const u64 low = in.get_u64le();
        partial.symbols.push_back({low, in.get_u64le()});
    }
    partial.model = get_model(in);
    return partial;
}

}  // namespace tracefold
