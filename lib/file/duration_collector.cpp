// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/duration_collector.hpp"

#include "file/call_reader.hpp"
#include "file/section_coder.hpp"
#include "fold/column_families.hpp"
#include "fold/timing_store.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

void DurationCollector::add(const std::vector<CallBatch::Delta>& deltas,
                            const std::vector<Symbol>& symbols) {
    for (std::size_t symbol = nodes_.size(); symbol < symbols.size(); ++symbol) {
        add_symbol(symbols[symbol].elements.size());
    }
    for (const CallBatch::Delta& delta : deltas) add(places_[delta.group], delta.ticks);
}

void DurationCollector::add_symbol(std::size_t elements) {
    const u32 symbol = static_cast<u32>(nodes_.size());
    for (u32 element = 0; element < elements; ++element) places_.push_back({symbol, element});
    nodes_.push_back({symbol, {}, std::vector<TimingModel::Step>(elements)});
    edges_.emplace_back();
}

void DurationCollector::add(RecordPlace place, u64 ticks) {
    if (place.element == 0) return begin_call(place.symbol, ticks);
    TimingModel::Step& step = nodes_[place.symbol].steps[place.element];
    ++step.count;
    step.sum += ticks;
    elapsed_ += ticks;
}

/// The edge to the first call is a point in time, not a duration.
void DurationCollector::begin_call(u32 symbol, u64 ticks) {
    if (current_ != kNone) {
        end_call();
        edge(edges_[symbol], current_).durations.add(ticks);
    }
    current_ = symbol;
    elapsed_ = 0;
}

void DurationCollector::end_call() { nodes_[current_].durations.all.add(elapsed_); }

DurationCollector::Edge& DurationCollector::edge(Edges& edges, u32 from) {
    if (edges.last < edges.all.size() && edges.all[edges.last].from == from) {
        return edges.all[edges.last];
    }
    std::size_t i = 0;
    while (i < edges.all.size() && edges.all[i].from != from) ++i;
    if (i == edges.all.size()) edges.all.push_back({from, {}});
    edges.last = i;
    return edges.all[i];
}

void DurationCollector::begin_loop(const std::vector<CallBatch::Delta>& deltas) {
    loop_.clear();
    for (const CallBatch::Delta& delta : deltas) loop_.push_back(places_[delta.group]);
    // Adds all edges first: pointers to them must stay valid.
    for (const bool complete : {false, true}) {
        u32 from = current_;
        for (u32 record = 0; record < loop_.size(); ++record) {
            if (loop_[record].element != 0) continue;
            LogHistogram& way = edge(edges_[loop_[record].symbol], from).durations;
            if (complete) stops_.push_back({record, &way, &nodes_[from].durations.all});
            from = loop_[record].symbol;
        }
    }
    sums_.assign(loop_.size(), 0);
}

void DurationCollector::add_iteration(std::span<const RecordBatch::Head> records, u64 before) {
    std::size_t record = 0;
    u64 begin = before - elapsed_;  // of the current call, modulo 2^64
    const auto take_steps = [&](std::size_t end) {
        for (; record < end; ++record) {
            sums_[record] += records[record].time - before;
            before = records[record].time;
        }
    };
    for (const Stop& stop : stops_) {
        take_steps(stop.record);
        stop.node->add(before - begin);
        begin = records[record++].time;
        stop.edge->add(begin - before);
        before = begin;
    }
    take_steps(records.size());
    elapsed_ = before - begin;
    ++iterations_;
}

void DurationCollector::end_loop() {
    for (std::size_t record = 0; record < loop_.size(); ++record) {
        if (loop_[record].element == 0) continue;
        TimingModel::Step& step = nodes_[loop_[record].symbol].steps[loop_[record].element];
        step.count += iterations_;
        step.sum += sums_[record];
    }
    loop_.clear();
    stops_.clear();
    iterations_ = 0;
}

TimingModel DurationCollector::finish(u32 location) {
    if (current_ != kNone) end_call();
    TimingModel model;
    const auto with_mean = [location](LogHistogram all) {
        const u64 mean = rounded_mean(all.mean());
        return Durations{std::move(all), {{location, 1, mean}}};
    };
    for (TimingModel::Node& node : nodes_) {
        if (node.durations.all.count() == 0) continue;
        node.durations = with_mean(std::move(node.durations.all));
        model.nodes.push_back(std::move(node));
    }
    for (u32 to = 0; to < edges_.size(); ++to) {
        for (Edge& edge : edges_[to].all) {
            if (edge.durations.count() == 0) continue;
            model.edges.push_back({edge.from, to, with_mean(std::move(edge.durations))});
        }
    }
    return model;
}

TimingModel durations_of_location(TraceFile& file, u32 location) {
    DurationCollector collector;
    for (const Symbol& symbol : file.structure().symbols) {
        collector.add_symbol(symbol.elements.size());
    }
    CallReader calls(file, location);
    u64 last = 0;
    while (calls.next()) {
        for (std::size_t i = 0; i < calls.records().size(); ++i) {
            const u64 time = calls.records()[i].time;
            collector.add({calls.symbol_id(), calls.element_number(i)},
                          time - std::exchange(last, time));
        }
    }
    return collector.finish(location);
}

StoredSection pack_timings(const TimingStore& timings, const Structure& structure,
                           const Packing& packing) {
    const Structure in_file = refold_families(structure);
    return pack_durations(fold_means(timings.finish(structure), in_file), in_file, packing);
}

TimeFolder::TimeFolder(TimingLevel timing, u32 error_ppm, TickCoding coding)
    : timing_(timing),
      exact_([this](std::string_view bytes) { coded_.append(bytes); }, coding),
      quantised_([this](std::string_view bytes) { coded_.append(bytes); }, error_ppm, coding) {}

void TimeFolder::begin() {
    coded_.clear();
    exact_.begin();
    quantised_.begin();
    collector_ = DurationCollector();
}

void TimeFolder::add(const std::vector<CallBatch::Delta>& deltas,
                     const std::vector<Symbol>& symbols) {
    if (timing_ == TimingLevel::histogram) {
        collector_.add(deltas, symbols);
    } else {
        encode(deltas);
    }
}

void TimeFolder::encode(const std::vector<CallBatch::Delta>& deltas) {
    if (timing_ == TimingLevel::quantized) quantised_.add(deltas);
    if (timing_ == TimingLevel::exact) exact_.add(deltas);
}

void TimeFolder::begin_loop(const std::vector<CallBatch::Delta>& deltas) {
    if (timing_ == TimingLevel::histogram) {
        collector_.begin_loop(deltas);
    } else {
        iteration_ = deltas;
    }
}

void TimeFolder::add_iteration(std::span<const RecordBatch::Head> records, u64 before) {
    if (timing_ == TimingLevel::histogram) return collector_.add_iteration(records, before);
    for (std::size_t i = 0; i < iteration_.size(); ++i) {
        iteration_[i].ticks = records[i].time - before;
        before = records[i].time;
    }
    encode(iteration_);
}

void TimeFolder::end_loop() {
    if (timing_ == TimingLevel::histogram) collector_.end_loop();
}

void TimeFolder::finish() {
    exact_.finish();
    quantised_.finish();
}

}  // namespace tracefold
