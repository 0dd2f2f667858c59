// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/column_cursor.hpp"
#include "fold/columns/function_draft.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// The numbers of participants, as functions give them. Reading throws Error(corrupt) if the table
/// is none that a writer makes.
class FunctionReader {
  public:
    /// The leader is the table that this one follows, if it does, and is there as long as this.
    /// Cost: the columns of the table; where participants have chosen orders, all their numbers.
    FunctionReader(const FoldedSource& source, const FunctionTable& table,
                   const FunctionReader* leader = nullptr);

    /// The numbers of a participant, as many as it has. Cost: the sequence; sorted stretches.
    [[nodiscard]] Column column(u64 participant) const;
    /// The same in two steps, of which tables that follow another share the first: which numbers of
    /// the sequence it has, in its order.
    [[nodiscard]] std::vector<u32> numbers_of(u64 participant) const;
    [[nodiscard]] Column column(u64 participant, std::span<const u32> numbers) const;

  private:
    /// What a function gives a participant, before any lookup.
    struct Value {
        u64 number = 0;
        bool inside = true;
    };
    /// Numbers that a participant has in an order of its own: a part of those it has.
    struct Stretch {
        std::size_t begin = 0;
        std::size_t end = 0;
        bool chosen = false;
    };
    /// What a participant has, as numbers of the sequence, and the stretches of two or more.
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
    std::vector<std::vector<u64>> lookups_;  ///< by place
    Factors factors_;
    std::vector<u64> function_of_;  ///< by number
    std::vector<u64> presence_;     ///< by number
    std::vector<u64> group_of_;     ///< by participant
    std::vector<std::vector<u64>> presences_;
    std::vector<std::vector<u32>> numbers_of_group_;  ///< none if they depend on the participant
    std::vector<u64> order_;                          ///< by number; empty: as they stand
    std::vector<u64> choices_;                        ///< of all participants
    std::vector<std::size_t> first_choice_;           ///< by participant
};

}  // namespace tracefold
