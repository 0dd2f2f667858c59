// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/canonical_structure.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "fold/column_builder.hpp"
#include "fold/column_copier.hpp"

namespace tracefold {

namespace {

class Canonizer {
  public:
    Canonizer(const PartialStructure& partial, u32 location_count)
        : partial_(partial),
          copier_({partial.patterns, partial.columns}, pool_),
          class_of_(location_count, kNone) {
        out_.location_count = location_count;
    }

    Structure run() {
        order_scripts();
        order_symbols();
        map_scripts();
        for (const u32 script : scripts_) {
            out_.script_counts.push_back(assign_all(partial_.script_counts[script]));
        }
        for (const u32 symbol : symbols_) {
            out_.slots.push_back(assign_all(partial_.slots[symbol]));
        }
        out_.columns = pool_.columns();
        out_.patterns = pool_.patterns();
        return std::move(out_);
    }

  private:
    void order_scripts() {
        scripts_.resize(partial_.scripts.size());
        std::iota(scripts_.begin(), scripts_.end(), 0U);
        const auto key = [this](u32 script) {
            return std::pair(partial_.scripts[script].stream,
                             partial_.script_participants[script].first());
        };
        std::sort(scripts_.begin(), scripts_.end(),
                  [&key](u32 a, u32 b) { return key(a) < key(b); });
    }

    void order_symbols() {
        std::vector<u32> new_id(partial_.symbols.size(), kNone);
        for (const u32 id : scripts_) {
            Script script = partial_.scripts[id];
            script.pattern = pool_.intern(partial_.patterns[script.pattern]);
            for (u32& symbol : script.symbols) {
                if (new_id[symbol] == kNone) {
                    new_id[symbol] = static_cast<u32>(symbols_.size());
                    symbols_.push_back(symbol);
                    out_.symbols.push_back(partial_.symbols[symbol]);
                    out_.symbol_streams.push_back(partial_.symbol_streams[symbol]);
                }
                symbol = new_id[symbol];
            }
            out_.scripts.push_back(std::move(script));
        }
    }

    void map_scripts() {
        for (int stream = 0; stream < kLocationStreams; ++stream) {
            std::vector<u32> script_of(out_.location_count, 0);
            for (u32 i = 0; i < scripts_.size(); ++i) {
                if (out_.scripts[i].stream != static_cast<Stream>(stream)) continue;
                for (const u32 location : partial_.script_participants[scripts_[i]].members()) {
                    script_of[location] = i + 1;
                }
            }
            ColumnBuilder builder;
            for (const u32 script : script_of) builder.push(script);
            out_.script_of.push_back(builder.finish(pool_));
        }
    }

    std::vector<Assignment> assign_all(const std::vector<std::vector<Variant>>& slots) {
        std::vector<Assignment> assignments;
        assignments.reserve(slots.size());
        for (const auto& variants : slots) assignments.push_back(assign(variants));
        return assignments;
    }

    Assignment assign(const std::vector<Variant>& variants) {
        std::vector<const Variant*> order;
        for (const Variant& variant : variants) order.push_back(&variant);
        std::sort(order.begin(), order.end(), [](const Variant* a, const Variant* b) {
            return a->participants.first() < b->participants.first();
        });
        Assignment assignment;
        assignment.classes = class_column(order);
        for (const Variant* variant : order) {
            assignment.columns.push_back(copier_.copy(variant->column));
        }
        return assignment;
    }

    u32 class_column(const std::vector<const Variant*>& order) {
        ColumnBuilder builder;
        if (order.size() == 1) {
            builder.push(0);
            return builder.finish(pool_);
        }
        std::fill(class_of_.begin(), class_of_.end(), kNone);
        for (u32 i = 0; i < order.size(); ++i) {
            for (const u32 location : order[i]->participants.members()) class_of_[location] = i;
        }
        for (const u32 index : class_of_) {
            if (index != kNone) builder.push(index);
        }
        return builder.finish(pool_);
    }

    const PartialStructure& partial_;
    StructurePool pool_;
    ColumnCopier copier_;
    std::vector<u32> class_of_;
    std::vector<u32> scripts_;  ///< old ids in the new order
    std::vector<u32> symbols_;
    Structure out_;
};

}  // namespace

Structure canonical_structure(const PartialStructure& partial, u32 location_count) {
    return Canonizer(partial, location_count).run();
}

}  // namespace tracefold
