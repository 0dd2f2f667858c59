// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"
#include "fold/columns/function_draft.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Evaluates a function table for participants. Throws Error(corrupt) for an invalid table.
class FunctionReader {
  public:
    /// `leader` is the table that this one follows, if any, and must outlive this. Cost: the
    /// columns of the table; with chosen orders, the numbers of all participants.
    FunctionReader(const FoldedSource& source, const FunctionTable& table,
                   const FunctionReader* leader = nullptr);

    /// Returns the numbers of a participant. Cost: the sequence, and sorting its stretches.
    [[nodiscard]] Column column(u64 participant) const;
    /// column() in two steps, so that following tables share the first one: the indices of the
    /// participant's numbers in the sequence, in its order.
    [[nodiscard]] std::vector<u32> numbers_of(u64 participant) const;
    [[nodiscard]] Column column(u64 participant, std::span<const u32> numbers) const;

  private:
    /// The result of a function, before any lookup.
    struct Value {
        u64 number = 0;
        bool inside = true;
    };
    /// A part of a participant's numbers in an order of its own.
    struct Stretch {
        std::size_t begin = 0;
        std::size_t end = 0;
        bool chosen = false;
    };
    /// A participant's numbers, as indices of the sequence, and its stretches of at least two.
    struct Present {
        std::vector<u32> numbers;
        std::vector<Stretch> stretches;
    };

    void read_functions(const FoldedSource& source);
    void read_factors(const FoldedSource& source);
    void read_sequence(const FoldedSource& source);
    void read_choices(const FoldedSource& source);
    void check_sequence() const;
    void find_numbers_of_groups();
    [[nodiscard]] std::vector<Value> values_of(u64 participant) const;
    [[nodiscard]] Present present(u64 participant, const std::vector<Value>& values) const;
    [[nodiscard]] bool is_present(u64 presence, bool inside, u64 group) const;
    [[nodiscard]] u64 look_up(u32 lookup, u64 place) const;
    [[nodiscard]] u32 below(u64 number, std::size_t dimension) const;
    [[nodiscard]] i64 offset(u64 number, std::size_t dimension) const;

    const FunctionTable& table_;
    const FunctionReader* leader_;
    DigitGrid grid_;
    std::vector<PlaceFunction> functions_;
    std::vector<std::vector<u64>> lookups_;  ///< by position
    Factors factors_;
    std::vector<u64> function_of_;  ///< by number
    std::vector<u64> presence_;     ///< by number
    std::vector<u64> group_of_;     ///< by participant
    std::vector<std::vector<u64>> presences_;
    std::vector<std::vector<u32>> numbers_of_group_;  ///< empty if they depend on the participant
    std::vector<u64> order_;                          ///< by number; empty: sequence order
    std::vector<u64> choices_;                        ///< of all participants
    std::vector<std::size_t> first_choice_;           ///< by participant
};

}  // namespace tracefold
