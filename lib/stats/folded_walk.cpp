// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/folded_walk.hpp"

#include "analysis/transfer_recipe.hpp"
#include "analysis/transfers.hpp"
#include "query/call_names.hpp"
#include "query/io_tracker.hpp"

#include <algorithm>

namespace tracefold {

namespace {

class FoldedWalk {
  public:
    FoldedWalk(TraceFile& file, ExecutionCounts& counts, RowChooser& rows, SampleSink& sink)
        : file_(file),
          structure_(file.structure()),
          counts_(counts),
          names_(file, counts),
          rows_(rows),
          sink_(sink) {}

    void run(const std::vector<u32>& locations) {
        std::vector<bool> selected(file_.location_count(), false);
        for (const u32 location : locations) selected[location] = true;
        u32 current = kNone;
        // Locations come in rising order, as they are counted.
        auto next = locations.begin();
        const auto count_until = [&](u32 location) {
            for (; next != locations.end() && *next <= location; ++next) {
                finish(current);
                current = *next;
                count_calls(current);
            }
        };
        visit_transfers(file_, counts_, selected, [&](const Transfer& transfer) {
            count_until(transfer.location);
            pass(transfer);
        });
        count_until(kNone);
        finish(current);
    }

  private:
    void finish(u32 location) {
        if (location != kNone) sums_.pass(Over::ranks, location, 0, sink_);
    }

    void count_calls(u32 location) {
        const u32 script = file_.index().script(Stream::events, location);
        if (script == kNone) return;
        for (const u32 symbol : structure_.scripts[script].symbols) {
            for (const Element& element : structure_.symbols[symbol].elements) {
                if (!is_enter(element.type)) continue;
                const RowChooser::Choice choice = region(symbol, element, location);
                const u64 calls = counts_.calls(symbol, location);
                if (choice.wanted) add(choice.row, location, Quantity::calls, 1, calls);
            }
        }
    }

    [[nodiscard]] RowChooser::Choice region(u32 symbol, const Element& element, u32 location) {
        const u32 group = rows_.group(location);
        return rows_.region(group, group, names_.region_id(symbol, element));
    }

    void pass(const Transfer& transfer) {
        const Element& call = structure_.symbols[transfer.symbol].elements.front();
        const RowChooser::Choice choice = region(transfer.symbol, call, transfer.location);
        if (!choice.wanted) return;
        const auto add_all = [&](Quantity quantity, const ValueRun& run) {
            if (run.stride == 0) {
                add(choice.row, transfer.location, quantity, run.start, run.count * transfer.times);
                return;
            }
            for (u64 i = 0; i < run.count; ++i) {
                add(choice.row, transfer.location, quantity, run.start + i * run.stride,
                    transfer.times);
            }
        };
        if (has_sent(transfer.kind)) add_all(Quantity::sent, transfer.sent);
        if (has_received(transfer.kind)) add_all(Quantity::received, transfer.received);
    }

    void add(u32 row, u32 location, Quantity quantity, u64 value, u64 times) {
        if (times == 0) return;
        sink_.add({row, Over::calls, quantity, value, times, location, 0});
        sums_.add(row, quantity, value, times);
    }

    TraceFile& file_;
    const Structure& structure_;
    ExecutionCounts& counts_;
    CallNames names_;
    RowChooser& rows_;
    SampleSink& sink_;
    Sums sums_;  ///< of the location at hand
};

}  // namespace

bool transfers_stand_in_calls(TraceFile& file) {
    const Structure& structure = file.structure();
    for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
        if (structure.symbol_streams[symbol] != Stream::events) continue;
        const std::vector<Element>& elements = structure.symbols[symbol].elements;
        // Which operation of a file is completed, only the records one by one tell.
        if (std::any_of(elements.begin(), elements.end(), [](const Element& element) {
                return completes_io(element.type) ||
                       element.type == static_cast<u8>(EventType::CallingContextSample);
            })) {
            return false;
        }
        if (transfer_recipes(structure, symbol, file.index().slots(symbol)).empty()) continue;
        const auto regions =
            std::count_if(elements.begin(), elements.end(),
                          [](const Element& element) { return is_enter(element.type); });
        if (call_kind(structure.symbols[symbol]) != CallKind::call || regions != 1) return false;
    }
    return true;
}

void walk_folded(TraceFile& file, ExecutionCounts& counts, const std::vector<u32>& locations,
                 RowChooser& rows, SampleSink& sink) {
    FoldedWalk(file, counts, rows, sink).run(locations);
}

}  // namespace tracefold
