// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/main_phase.hpp"

#include "analysis/column_period.hpp"
#include "analysis/loop_surroundings.hpp"

#include <algorithm>
#include <array>
#include <numeric>

namespace tracefold {

namespace {

using Part = ScriptOutline::Part;

constexpr u64 kLeastIterations = 3;

/// The loop with most of what weighs something; null unless it has at least half of all.
const Part* heaviest_loop(const ScriptOutline& outline, const std::vector<u64>& weights) {
    const Part* heaviest = nullptr;
    u64 most = 0;
    for (const Part& part : outline.parts) {
        const u64 weight = weigh(outline.executions(part.begin, part.end), weights);
        if (part.iterations == 0 || weight <= most) continue;
        heaviest = &part;
        most = weight;
    }
    return most * 2 < weigh(outline.executions(0, outline.runs.size()), weights) ? nullptr
                                                                                 : heaviest;
}

}  // namespace

std::vector<MainPhaseFinder::LeafKind> MainPhaseFinder::kinds(u32 script) const {
    std::vector<LeafKind> kinds;
    for (const u32 symbol : structure_.scripts[script].symbols) {
        LeafKind& kind = kinds.emplace_back();
        kind.barrier = barriers_.contains(symbol);
        for (const TransferRecipe& recipe :
             transfer_recipes(structure_, symbol, index_.slots(symbol))) {
            kind.transfers = true;
            kind.sends = kind.sends || recipe.kind == Transfer::Kind::send;
            kind.message = kind.message || recipe.kind != Transfer::Kind::collective;
        }
    }
    return kinds;
}

const std::vector<MainPhaseFinder::LeafKind>& MainPhaseFinder::kinds_of(u32 location) {
    const u32 script = index_.script(Stream::events, location);
    const auto known = kinds_.find(script);
    return known != kinds_.end() ? known->second
                                 : kinds_.emplace(script, kinds(script)).first->second;
}

bool MainPhaseFinder::has_transfers(u32 location) {
    if (index_.script(Stream::events, location) == kNone) return false;
    const std::vector<LeafKind>& kinds = kinds_of(location);
    return std::any_of(kinds.begin(), kinds.end(),
                       [](const LeafKind& kind) { return kind.transfers; });
}

std::optional<MainPhase> MainPhaseFinder::find(u32 location, u64 partners) {
    const std::vector<LeafKind>& kinds = kinds_of(location);
    const auto by_leaf = [&kinds](bool LeafKind::*what) {
        std::vector<u64> weights(kinds.size());
        std::transform(kinds.begin(), kinds.end(), weights.begin(),
                       [what](const LeafKind& kind) { return kind.*what ? u64{1} : u64{0}; });
        return weights;
    };
    const std::vector<u64> transfers = by_leaf(&LeafKind::transfers);
    const std::vector<u64> sends = by_leaf(&LeafKind::sends);
    const ScriptOutline* outline = this->outline(location, sends);
    const Part* part = outline == nullptr ? nullptr : heaviest_loop(*outline, transfers);
    if (part == nullptr) return std::nullopt;
    if (weigh(outline->executions(part->begin, part->end), sends) != 0) {
        return describe({location, *outline, *part, by_leaf(&LeafKind::message), partners});
    }
    outline = this->outline(location, transfers);
    part = heaviest_loop(*outline, transfers);
    return describe({location, *outline, *part, transfers, 1});
}

const ScriptOutline* MainPhaseFinder::outline(u32 location, const std::vector<u64>& weights) {
    const u32 script = index_.script(Stream::events, location);
    std::vector<u64> key{script};
    key.insert(key.end(), weights.begin(), weights.end());
    for (u32 node = 0; node < structure_.script_counts[script].size(); ++node) {
        const ExecutionCounts::Use use = counts_.count(location, node);
        key.insert(key.end(), {use.column, use.value});
    }
    const auto [known, fresh] = outlines_.try_emplace(std::move(key));
    if (fresh) known->second = outline_script(index_, counts_, location, weights);
    return known->second ? &*known->second : nullptr;
}

std::optional<MainPhase> MainPhaseFinder::describe(const Loop& loop) {
    const Part& part = loop.part;
    if (part.iterations < kLeastIterations || !part.even) return std::nullopt;
    std::vector<bool> borders;
    for (const LeafKind& kind : kinds_of(loop.location)) borders.push_back(kind.barrier);
    for (std::size_t i = part.begin; i < part.end; ++i) borders[loop.outline.runs[i].leaf] = false;
    MainPhase phase;
    phase.iterations = part.iterations;
    phase.beside = iterations_beside(loop.outline, part, loop.counted, borders);
    phase.doubtful = std::any_of(part.inner.begin(), part.inner.end(), [&loop](const auto& inner) {
        return inner.second >= std::max<u64>(loop.partners, 1);
    });
    find_period(loop, phase);
    return phase;
}

void MainPhaseFinder::find_period(const Loop& loop, MainPhase& phase) {
    const Script& script = structure_.scripts[index_.script(Stream::events, loop.location)];
    const std::vector<LeafKind>& kinds = kinds_of(loop.location);
    const Part& part = loop.part;
    const std::vector<u64> before = loop.outline.executions(0, part.begin);
    const std::vector<u64> inside = loop.outline.executions(part.begin, part.end);
    const std::vector<u64> each = loop.outline.executions(part.middle(), part.last());
    u64 iterations = 1;
    u64 repeats = 0;
    u64 sends = 0;
    for (u32 leaf = 0; leaf < kinds.size(); ++leaf) {
        if (!kinds[leaf].message || inside[leaf] == 0) continue;
        const u64 period =
            arguments_period(script.symbols[leaf], loop.location, before[leaf], inside[leaf]);
        if (period == 0 || each[leaf] == 0) return;
        iterations = std::lcm(iterations, period / std::gcd(period, each[leaf]));
        if (iterations > part.iterations / 2) return;
        repeats = std::gcd(repeats, each[leaf] % period == 0 ? each[leaf] / period : 1);
        sends += kinds[leaf].sends ? each[leaf] : 0;
    }
    phase.period = iterations;
    if (repeats > 1 && sends / repeats >= loop.partners) phase.repeats = repeats;
}

u64 MainPhaseFinder::arguments_period(u32 symbol, u32 location, u64 before, u64 inside) {
    u64 all = 1;
    for (const TransferRecipe& recipe :
         transfer_recipes(structure_, symbol, index_.slots(symbol))) {
        for (u8 field = 0; field < recipe.field_count; ++field) {
            if (recipe.slots[field] == kNone) continue;
            const u64 period =
                values_period(counts_.slot(symbol, recipe.slots[field], location), before, inside);
            if (period == 0 || std::lcm(all, period) > inside) return 0;
            all = std::lcm(all, period);
        }
    }
    return all;
}

u64 MainPhaseFinder::values_period(const ExecutionCounts::Use& use, u64 before, u64 inside) {
    if (use.column == kNone) return 1;
    const auto [known, fresh] = periods_.emplace(std::array<u64, 3>{use.column, before, inside}, 0);
    if (fresh) {
        PeriodicCursor cursor(index_.source(), use.column);
        for (u64 left = before; left > 0;) {
            const u64 count = std::min(left, cursor.run().count);
            cursor.advance(count);
            left -= count;
        }
        known->second = column_period(cursor, inside);
    }
    return known->second;
}

}  // namespace tracefold
