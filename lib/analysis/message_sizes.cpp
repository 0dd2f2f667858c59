// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/message_sizes.hpp"

#include "core/saturating.hpp"

#include <algorithm>
#include <bit>
#include <unordered_map>

namespace tracefold {

namespace {

void add_exactly(const ValueRun& run, u64 times, std::map<u64, u64>& sizes) {
    if (run.stride == 0) {
        sizes[run.start] += run.count * times;
        return;
    }
    for (u64 i = 0; i < run.count; ++i) sizes[run.start + i * run.stride] += times;
}

}  // namespace

void split_by_class(ValueRun run, const std::function<void(std::size_t, const ValueRun&)>& sink) {
    const bool falls = run.stride >> 63U != 0;
    if (falls) run = {run.last(), 0 - run.stride, run.count};
    while (run.count > 0) {
        const auto size_class = static_cast<std::size_t>(std::bit_width(run.start));
        const u64 largest = size_class == 64 ? ~u64{0} : (u64{1} << size_class) - 1;
        u64 count = run.count;
        if (run.stride != 0) count = std::min(count, (largest - run.start) / run.stride + 1);
        sink(size_class, {run.start, run.stride, count});
        run = {run.start + run.stride * count, run.stride, run.count - count};
    }
}

void SizeHistogram::add(const ValueRun& run, u64 times) {
    if (run.count == 0) return;
    split_by_class(run, [this, times](std::size_t size_class, const ValueRun& part) {
        classes[size_class].count += part.count * times;
        add_saturated(classes[size_class].bytes, Transfer::sizes_of(part, times));
        smallest = std::min(smallest, part.start);
        largest = std::max(largest, part.last());
    });
    count += run.count * times;
    add_saturated(bytes, Transfer::sizes_of(run, times));
}

MessageSizes message_sizes(TraceFile& file, ExecutionCounts& counts,
                           const std::vector<bool>& selected, bool exact) {
    using Side = MessageSizes::Side;
    MessageSizes sizes;
    CallNames names(file, counts);
    std::unordered_map<u32, std::string> name_of;
    visit_transfers(file, counts, selected, [&](const Transfer& transfer) {
        auto known = name_of.find(transfer.symbol);
        if (known == name_of.end()) {
            known = name_of.emplace(transfer.symbol, names.name(transfer.symbol)).first;
        }
        const auto add = [&](Side side, const ValueRun& run) {
            SizeHistogram& histogram = sizes.histograms[{transfer.kind, known->second, side}];
            histogram.add(run, transfer.times);
            if (exact) add_exactly(run, transfer.times, histogram.exact);
        };
        if (has_sent(transfer.kind)) add(Side::sent, transfer.sent);
        if (has_received(transfer.kind)) add(Side::received, transfer.received);
        if (transfer.per_peer) add(Side::per_peer, {*transfer.per_peer, 0, transfer.sent.count});
    });
    return sizes;
}

}  // namespace tracefold
