// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/timing_model_reader.hpp"

#include <algorithm>
#include <utility>

namespace tracefold::inline format {

namespace {

/// For a number that is not 0.
Expectations unless_zero(u64 one, u64 other = 0) {
    Expectations rest;
    if (one != 0) rest.set(Expectations::kFits, one);
    if (rest.has(Expectations::kFits) && other != 0) rest.set(Expectations::kFitsElse, other);
    return rest;
}

}  // namespace

TimingModel TimingModelReader::read() {
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

void TimingModelReader::enter(DurationsPart part) {
    part_ = static_cast<u8>(part);
    in_.enter(part_, part_);
}

u32 TimingModelReader::symbol_after(FieldRole role, u64 last) {
    const u64 symbol = last + number(role);
    if (symbol < last || symbol >= kNone) in_.fail("a duration belongs to no symbol");
    return static_cast<u32>(symbol);
}

TimingModel::Node TimingModelReader::node(u32 last) {
    TimingModel::Node node{symbol_after(FieldRole::duration_symbol, last), {}, {}};
    const u64 steps = in_.at(FieldRole::step_count).get_count(2);
    for (u64 i = 0; i < steps; ++i) node.steps.push_back(step());
    const u64 executions = node.steps.size() > 1 ? node.steps.back().count : executions_;
    node.durations.all = histogram({executions, executions});
    return node;
}

/// As often executed as the last node, and as long as the last step, if all were alike.
TimingModel::Step TimingModelReader::step() {
    TimingModel::Step step;
    step.count = in_.at(FieldRole::step_executions, unless_zero(executions_)).get_varint();
    const u64 mean = last_step_.count == 0 ? 0 : last_step_.sum / last_step_.count;
    const bool small = step.count < kNone && mean < kNone;
    const u64 sum = small ? step.count * mean : 0;
    step.sum = in_.at(FieldRole::step_sum, unless_zero(sum)).get_varint();
    last_step_ = step;
    return step;
}

TimingModel::Edge TimingModelReader::edge(u32 last) {
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

TimingModelReader::Left* TimingModelReader::left(u32 symbol) {
    const auto& nodes = model_.nodes;
    const auto at = std::lower_bound(
        nodes.begin(), nodes.end(), symbol,
        [](const TimingModel::Node& node, u32 value) { return node.symbol < value; });
    if (at == nodes.end() || at->symbol != symbol) return nullptr;
    return &left_[static_cast<std::size_t>(at - nodes.begin())];
}

/// histogram := 0 | n first count{n} min max [signed(sum - expected)]
LogHistogram TimingModelReader::histogram(const Totals& totals) {
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
        sum = sum_of_middles(counts) + static_cast<u64>(in_.at(FieldRole::sum_excess).get_signed());
    }
    return LogHistogram::from_parts(std::move(counts), sum, min, max);
}

/// Counts from bucket 0 on, the last one not 0; none of an empty histogram.
std::vector<u64> TimingModelReader::buckets(const Totals& totals) {
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

}  // namespace tracefold::inline format
