// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/script_generator.hpp"

#include "base/error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Calls of one rank, all in memory at once.
constexpr std::size_t kMostCalls = std::size_t{1} << 28U;

}  // namespace

const CallSequence& ScriptGenerator::generate(const RankGrid& grid, u32 rank,
                                              const RankCommunicators* communicators) {
    grid_ = &grid;
    rank_ = rank;
    communicators_ = communicators;
    if (!planned_ || !fits_plan()) plan();
    for (std::size_t i = 0; i < value_cells_.size(); ++i) {
        sequence_.values[i] = worked_out_[value_cells_[i]];
    }
    return sequence_;
}

/// Evaluates all numbers for the current rank, counts first: iterations depend on them.
bool ScriptGenerator::fits_plan() {
    for (const auto& [cell, count] : counts_) {
        if (evaluate(cells_[cell]) != count) return false;
    }
    for (std::size_t i = 0; i < cells_.size(); ++i) worked_out_[i] = evaluate(cells_[i]);
    return true;
}

u64 ScriptGenerator::evaluate(const Cell& cell) const {
    const auto value = tracefold::evaluate(model_.formulas[cell.formula],
                                           Point{grid_, rank_, cell.loops, communicators_});
    if (!value) fail(cell);
    return *value;
}

void ScriptGenerator::fail(const Cell& cell) const {
    const u32 call = model_.tree.places[cell.place].call;
    const std::string name = call == kNone ? "a loop" : kinds_[call].name;
    const std::string what = cell.argument == kNone ? std::string("execution count")
                                                    : kinds_[call].arguments[cell.argument].name;
    throw Error(
        ErrorKind::unsupported, "{}, {} on rank {} of {}: {}", name, what, rank_,
        grid_->participants(),
        impossible_text(model_.formulas[cell.formula], {grid_, rank_, cell.loops, communicators_}));
}

void ScriptGenerator::plan() {
    planned_ = true;
    cells_.clear();
    known_cells_.clear();
    counts_.clear();
    value_cells_.clear();
    worked_out_.clear();
    sequence_ = {};
    places_.clear();
    plan(model_.tree.root, Visit{});
    sequence_.values.resize(value_cells_.size());
}

void ScriptGenerator::plan(const std::vector<u32>& places, const Visit& visit) {
    for (const u32 place : places) {
        const ScriptModel::Numbers& count = model_.places[place].count;
        const u64 trips = plan_count(place, count, visit, kNone);
        const ScriptTree::Place& at = model_.tree.places[place];
        for (u64 i = 0; i < trips; ++i) {
            const Visit inner = visit.within(count.is_fixed, i, trips);
            if (at.call != kNone) {
                plan_call(place, inner);
            } else {
                plan(at.body, inner);
            }
        }
    }
}

void ScriptGenerator::plan_call(u32 place, const Visit& visit) {
    const CallType& kind = kinds_[model_.tree.places[place].call];
    sequence_.calls.push_back(model_.tree.places[place].call);
    sequence_.first.push_back(value_cells_.size());
    places_.push_back(place);
    const std::vector<ScriptModel::Numbers>& arguments = model_.places[place].arguments;
    u64 repeat = 1;
    bool is_fixed = true;
    for (u32 k = 0; k < arguments.size(); ++k) {
        if (kind.arguments[k].shape == SlotShape::each) {
            for (u64 i = 0; i < repeat; ++i) {
                value_cells_.push_back(
                    cell_of(place, arguments[k], visit.within(is_fixed, i, repeat), k));
            }
            continue;
        }
        if (kind.arguments[k].shape == SlotShape::count) {
            repeat = plan_count(place, arguments[k], visit, k);
            is_fixed = arguments[k].is_fixed;
        }
        value_cells_.push_back(cell_of(place, arguments[k], visit, k));
    }
    if (value_cells_.size() + sequence_.calls.size() > kMostCalls) {
        throw Error(ErrorKind::unsupported, "rank {} would make too many calls", rank_);
    }
}

u64 ScriptGenerator::plan_count(u32 place, const ScriptModel::Numbers& numbers, const Visit& visit,
                                u32 argument) {
    const u32 cell = cell_of(place, numbers, visit, argument);
    const u64 count = worked_out_[cell];
    if (count > kMostCalls) fail(cells_[cell]);
    if (!cells_[cell].is_count) counts_.emplace_back(cell, count);
    cells_[cell].is_count = true;
    return count;
}

u32 ScriptGenerator::cell_of(u32 place, const ScriptModel::Numbers& numbers, const Visit& visit,
                             u32 argument) {
    const auto formula = numbers.formulas.find(numbers.key_of(visit));
    if (formula == numbers.formulas.end()) {
        throw Error(ErrorKind::internal, "an iteration has no formula");
    }
    const std::array<u64, 3> key = {formula->second, visit.loops[0].packed(),
                                    visit.loops[1].packed()};
    const auto [known, is_new] = known_cells_.try_emplace(key, static_cast<u32>(cells_.size()));
    if (is_new) {
        cells_.push_back({formula->second, visit.loops, place, argument, false});
        worked_out_.push_back(evaluate(cells_.back()));
    }
    return known->second;
}

}  // namespace tracefold
