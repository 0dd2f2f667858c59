// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "scaling/residue.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace tracefold::inline scaling {

/// Tells of many columns which of them may complete a few others to a sum that gives certain
/// numbers, without solving for the multiples each time: Gaussian elimination of the few columns
/// without fractions, modulo a prime. All columns have as many rows as there are numbers.
class Elimination {
  public:
    explicit Elimination(std::vector<Residue> numbers) : rest_(std::move(numbers)) { find_row(); }

    static constexpr std::size_t kMostColumns = 4;

    /// Eliminates a column, at most kMostColumns of them. Cost: rows times columns.
    void add(std::span<const Residue> column);

    /// False if no multiples of the columns and of this one add up to the numbers, this one being
    /// needed. True means that they may. Cost: columns for each row up to the first that says no.
    [[nodiscard]] bool may_be_completed_by(std::span<const Residue> column) const;

  private:
    using Pivots = std::array<Residue, kMostColumns>;  ///< by stage

    struct Stage {
        std::size_t pivot = 0;
        std::vector<Residue> column;  ///< what earlier stages left of it
    };

    /// What the first stages leave of a row of a column, given what is left of their pivot rows.
    [[nodiscard]] Residue reduced(std::span<const Residue> column, std::size_t row,
                                  const Pivots& pivots, std::size_t stages) const;
    [[nodiscard]] Pivots pivots_of(std::span<const Residue> column) const;
    void find_row();

    std::vector<Residue> rest_;  ///< of the numbers
    std::vector<Stage> stages_;
    std::optional<std::size_t> row_;  ///< where the rest is not zero
    bool is_torn_ = false;            ///< a column depends on others in these rows
};

}  // namespace tracefold::inline scaling
