// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/spread_table.hpp"

#include "stats/over_processes.hpp"

namespace tracefold {

namespace {

void write_histogram(const LogHistogram& histogram, ByteWriter& out) {
    out.put_varint(histogram.buckets().size());
    for (const u64 count : histogram.buckets()) out.put_varint(count);
    for (const u64 number : {histogram.sum(), histogram.min(), histogram.max()})
        out.put_varint(number);
}

LogHistogram read_histogram(ByteReader& in) {
    std::vector<u64> buckets(in.get_count(1));
    for (u64& count : buckets) count = in.get_varint();
    const u64 sum = in.get_varint();
    const u64 min = in.get_varint();
    const u64 max = in.get_varint();
    // Without numbers the least one is told as 0, and would stay the least.
    return buckets.empty() ? LogHistogram()
                           : LogHistogram::from_parts(std::move(buckets), sum, min, max);
}

}  // namespace

void SpreadTable::add(const Sample& sample) {
    next_.add(sample);
    if (sample.quantity != Quantity::time || sample.over == Over::ranks) return;
    if (sample.row >= spreads_.size()) spreads_.resize(rows_.size());
    CallSpread& spread = spreads_[sample.row];
    if (sample.over == Over::calls) {
        for (u64 i = 0; i < sample.times; ++i) spread.calls.add(sample.value);
        return;
    }
    if (spread.steps.empty() && maps_++ >= kMostMaps) return;
    const auto column = static_cast<std::size_t>(sample.iteration / per_column_);
    if (column >= spread.steps.size()) spread.steps.resize(column + 1);
    spread.steps[column].add(sample.value);
}

void SpreadTable::reduce(Communicator& comm, int fanout) {
    const auto write = [](const CallSpread& spread, ByteWriter& out) {
        write_histogram(spread.calls, out);
        out.put_varint(spread.steps.size());
        for (const LogHistogram& step : spread.steps) write_histogram(step, out);
    };
    const auto merge = [](CallSpread& spread, ByteReader& in) {
        spread.calls.merge(read_histogram(in));
        const std::size_t columns = in.get_count(1);
        if (columns > spread.steps.size()) spread.steps.resize(columns);
        for (std::size_t i = 0; i < columns; ++i) spread.steps[i].merge(read_histogram(in));
    };
    reduce_rows(comm, rows_, spreads_, "histograms of another process", write, merge, fanout);
}

}  // namespace tracefold
