// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/timing_model_codec.hpp"

#include "file/column_codec.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// For a number that is not 0.
Expectations unless_zero(u64 one, u64 other = 0) {
    Expectations rest;
    if (one != 0) rest.set(Expectations::kFits, one);
    if (rest.has(Expectations::kFits) && other != 0) rest.set(Expectations::kFitsElse, other);
    return rest;
}

/// Reads the nodes and edges of a durations section (docs/reference/format.md, "Durations"). How
/// often a symbol was executed says how many durations its node has, and how many the edges to it
/// and from it have together, so that a reader that is followed tells what would be left for the
/// last bucket.
class TimingModelReader {
  public:
    /// `usual_executions` are what may be expected of the first node.
    TimingModelReader(FieldReader& in, u64 usual_executions)
        : in_(in), executions_(usual_executions) {}

    /// Without means of locations; what follows is in DurationsPart::means. Throws Error(corrupt).
    TimingModel read() {
        enter(DurationsPart::nodes);
        const u64 nodes = in_.at(FieldRole::list_size).get_count(4);
        for (u64 i = 0; i < nodes; ++i) {
            model_.nodes.push_back(node(i == 0 ? 0 : model_.nodes.back().symbol));
            executions_ = model_.nodes.back().durations.all.count();
            left_.push_back({executions_, executions_});
        }
        enter(DurationsPart::edges);
        const u64 edges = in_.at(FieldRole::list_size).get_count(4);
        for (u64 i = 0; i < edges; ++i) {
            model_.edges.push_back(edge(i == 0 ? 0 : model_.edges.back().to));
        }
        enter(DurationsPart::means);
        return std::move(model_);
    }

  private:
    /// How many durations may be expected in a histogram, by one predictor or by another.
    struct Totals {
        u64 one = 0;
        u64 other = 0;
    };
    /// Durations of a symbol that no edge has yet.
    struct Left {
        u64 to = 0;
        u64 from = 0;
    };

    void enter(DurationsPart part) {
        part_ = static_cast<u8>(part);
        in_.enter(part_, part_);
    }

    [[nodiscard]] u64 number(FieldRole role) { return in_.at(role).get_varint(); }
    [[nodiscard]] u32 symbol_after(FieldRole role, u64 last) {
        const u64 symbol = last + number(role);
        if (symbol < last || symbol >= kNone) in_.fail("a duration belongs to no symbol");
        return static_cast<u32>(symbol);
    }

    TimingModel::Node node(u32 last) {
        TimingModel::Node node{symbol_after(FieldRole::duration_symbol, last), {}, {}};
        const u64 steps = in_.at(FieldRole::step_count).get_count(2);
        for (u64 i = 0; i < steps; ++i) node.steps.push_back(step());
        const u64 executions = node.steps.size() > 1 ? node.steps.back().count : executions_;
        node.durations.all = histogram({executions, executions});
        return node;
    }

    /// As often executed as the last node, and as long as the last step, if all were alike.
    TimingModel::Step step() {
        TimingModel::Step step;
        step.count = in_.at(FieldRole::step_executions, unless_zero(executions_)).get_varint();
        const u64 mean = last_step_.count == 0 ? 0 : last_step_.sum / last_step_.count;
        const bool small = step.count < kNone && mean < kNone;
        const u64 sum = small ? step.count * mean : 0;
        step.sum = in_.at(FieldRole::step_sum, unless_zero(sum)).get_varint();
        last_step_ = step;
        return step;
    }

    TimingModel::Edge edge(u32 last) {
        const u32 to = symbol_after(FieldRole::duration_symbol, last);
        TimingModel::Edge edge{symbol_after(FieldRole::edge_from, 0), to, {}};
        Left* in = left(edge.to);
        Left* out = left(edge.from);
        const bool known = in != nullptr && out != nullptr;
        edge.durations.all = histogram(known ? Totals{in->to, out->from} : Totals{});
        if (known) {
            in->to -= edge.durations.all.count();
            out->from -= edge.durations.all.count();
        }
        return edge;
    }

    /// histogram := 0 | n first count{n} min max [signed(sum - expected)]
    LogHistogram histogram(const Totals& totals) {
        std::vector<u64> counts = buckets(totals);
        if (counts.empty()) return {};
        const u32 last = static_cast<u32>(counts.size() - 1);
        const u32 first = static_cast<u32>(
            std::find_if(counts.begin(), counts.end(), [](u64 count) { return count != 0; }) -
            counts.begin());
        const u64 above = number(FieldRole::least);
        const u64 min = log_bucket_start(first) + above;
        Expectations same;
        if (first == last) same = Expectations::fitting(above);
        const u64 max = log_bucket_start(last) + in_.at(FieldRole::most, same).get_varint();
        if (log_bucket(min) != first || log_bucket(max) != last || min > max) {
            in_.fail("the extremes of a histogram lie outside its buckets");
        }
        u64 sum = 0;
        if (min == max) {
            sum = min * counts[last];
        } else {
            sum = sum_of_middles(counts) +
                  static_cast<u64>(in_.at(FieldRole::sum_excess).get_signed());
        }
        return LogHistogram::from_parts(std::move(counts), sum, min, max);
    }

    /// Counts from bucket 0 on, the last one not 0; none of an empty histogram.
    std::vector<u64> buckets(const Totals& totals) {
        const u64 size = in_.at(FieldRole::bucket_count).get_count(1);
        if (size == 0) return {};
        const u64 first = number(FieldRole::first_bucket);
        if (size > kLogBuckets || first > kLogBuckets - size) in_.fail("a histogram is too wide");
        std::vector<u64> counts(first + size, 0);
        u64 sum = 0;
        for (u64 b = first; b < counts.size(); ++b) {
            in_.enter(part_, static_cast<u16>(kSlotParts + b));
            Expectations rest;
            if (b + 1 == counts.size()) rest = unless_zero(totals.one - sum, totals.other - sum);
            counts[b] = in_.at(FieldRole::bucket, rest).get_varint();
            sum += counts[b];
        }
        in_.enter(part_, part_);
        if (counts[first] == 0 || counts.back() == 0) in_.fail("a histogram is too wide");
        return counts;
    }

    /// Null if the symbol has no node.
    Left* left(u32 symbol) {
        const auto& nodes = model_.nodes;
        const auto at = std::lower_bound(
            nodes.begin(), nodes.end(), symbol,
            [](const TimingModel::Node& node, u32 value) { return node.symbol < value; });
        if (at == nodes.end() || at->symbol != symbol) return nullptr;
        return &left_[static_cast<std::size_t>(at - nodes.begin())];
    }

    FieldReader& in_;
    TimingModel model_;
    std::vector<Left> left_;  ///< by node
    TimingModel::Step last_step_;
    u64 executions_;  ///< of the last node
    u8 part_ = 0;
};

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

}  // namespace tracefold
