// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/elimination.hpp"

#include <algorithm>

namespace tracefold {

Residue Elimination::reduced(std::span<const Residue> column, std::size_t row, const Pivots& pivots,
                             std::size_t stages) const {
    Residue value = column[row];
    for (std::size_t s = 0; s < stages; ++s) {
        const Stage& stage = stages_[s];
        value = value * stage.column[stage.pivot] - stage.column[row] * pivots[s];
    }
    return value;
}

Elimination::Pivots Elimination::pivots_of(std::span<const Residue> column) const {
    Pivots pivots;
    for (std::size_t s = 0; s < stages_.size(); ++s) {
        pivots[s] = reduced(column, stages_[s].pivot, pivots, s);
    }
    return pivots;
}

void Elimination::add(std::span<const Residue> column) {
    Stage stage;
    const Pivots pivots = pivots_of(column);
    for (std::size_t row = 0; row < column.size(); ++row) {
        stage.column.push_back(reduced(column, row, pivots, stages_.size()));
    }
    const auto pivot =
        std::ranges::find_if(stage.column, [](Residue value) { return !value.is_zero(); });
    if (pivot == stage.column.end()) {
        is_torn_ = true;
        return;
    }
    stage.pivot = static_cast<std::size_t>(pivot - stage.column.begin());
    const Residue at_pivot = rest_[stage.pivot];
    for (std::size_t row = 0; row < rest_.size(); ++row) {
        rest_[row] = rest_[row] * *pivot - stage.column[row] * at_pivot;
    }
    stages_.push_back(std::move(stage));
    find_row();
}

void Elimination::find_row() {
    const auto found = std::ranges::find_if(rest_, [](Residue value) { return !value.is_zero(); });
    row_.reset();
    if (found != rest_.end()) row_ = static_cast<std::size_t>(found - rest_.begin());
}

bool Elimination::may_be_completed_by(std::span<const Residue> column) const {
    if (is_torn_ || !row_) return true;  // too few rows to decide
    const Pivots pivots = pivots_of(column);
    const Residue at_row = reduced(column, *row_, pivots, stages_.size());
    if (at_row.is_zero()) return false;
    for (std::size_t row = 0; row < rest_.size(); ++row) {
        const Residue left = reduced(column, row, pivots, stages_.size()) * rest_[*row_];
        if (!(left - at_row * rest_[row]).is_zero()) return false;
    }
    return true;
}

}  // namespace tracefold
