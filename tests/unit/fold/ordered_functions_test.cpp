// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/columns/ordered_functions.hpp"

#include "base/error.hpp"
#include "fold/column_builder.hpp"
#include "fold/column_families.hpp"
#include "fold/columns/function_tables.hpp"
#include "support/random_source.hpp"

#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Rows = std::vector<std::vector<u64>>;

/// A domain cut by bisection in turn, whose ranks exchange the faces, edges and corners of their
/// boxes: those of one half of the neighbours in the order of ranks, then the other half, and in
/// the first round they come in any order.
class Exchange {
  public:
    Exchange(u32 cuts, int rounds, RandomSource& random) : grid_(digits(cuts)) {
        for (u64 p = 0; p < grid_.participants(); ++p) {
            numbers_.emplace_back();
            sizes_.emplace_back();
            for (int round = 0; round < rounds; ++round)
                add_round(p, round == 0 ? &random : nullptr);
        }
    }

    [[nodiscard]] const DigitGrid& grid() const { return grid_; }
    [[nodiscard]] const Rows& numbers() const { return numbers_; }
    [[nodiscard]] const Rows& sizes() const { return sizes_; }

  private:
    struct Message {
        bool second = false;
        u64 number = 0;
        u64 size = 0;

        auto operator<=>(const Message&) const = default;
    };

    static std::vector<DigitGrid::Digit> digits(u32 cuts) {
        std::vector<DigitGrid::Digit> digits;
        for (u32 i = 0; i < 3 * cuts; ++i) digits.push_back({2, i % 3});
        return digits;
    }

    void add_round(u64 p, RandomSource* random) {
        std::vector<Message> messages;
        for (u32 k = 0; k < 27; ++k) {
            Message message{k > 13, 0, 8};
            bool exists = k != 13;
            for (u32 d = 0, rest = k; d < 3; ++d, rest /= 3) {
                const i64 own = grid_.coordinate(d, p);
                const i64 x = own + i64{rest % 3} - 1;
                exists = exists && x >= 0 && x < i64{grid_.sizes()[d]};
                if (!exists) break;
                message.number += grid_.weight(d, static_cast<u32>(x));
                if (x == own) message.size *= own == 0 ? 7 : 6;
            }
            if (exists) messages.push_back(message);
        }
        std::sort(messages.begin(), messages.end());
        for (std::size_t k = messages.size(); random != nullptr && k > 1; --k) {
            std::swap(messages[k - 1], messages[random->below(k)]);
        }
        for (const Message& message : messages) {
            numbers_[p].push_back(message.number);
            sizes_[p].push_back(random != nullptr ? 4 : message.size);
        }
    }

    DigitGrid grid_;
    Rows numbers_;
    Rows sizes_;
};

class OrderedFunctionsTest : public ::testing::Test {
  protected:
    void add(NumberKind kind, const Rows& rows) {
        TogetherArgument argument{kind, {}};
        for (const auto& row : rows) {
            ColumnBuilder builder;
            for (const u64 value : row) builder.push(value);
            argument.column_of_participant.push_back(builder.finish(pool_));
        }
        arguments_.push_back(std::move(argument));
        rows_.push_back(rows);
    }

    std::vector<FunctionTable> find() {
        return find_functions_together(pool_, {pool_.patterns(), pool_.columns()}, arguments_);
    }

    Structure structure_of(const std::vector<FunctionTable>& tables) {
        Structure structure;
        structure.patterns = pool_.patterns();
        structure.columns = pool_.columns();
        structure.slots.emplace_back();
        for (const FunctionTable& table : tables) {
            structure.slots[0].emplace_back();
            structure.slots[0].back().functions = table;
        }
        return structure;
    }

    void expect_same(const std::vector<FunctionTable>& tables) {
        Structure structure = structure_of(tables);
        unfold_families(structure);
        const FoldedSource source{structure.patterns, structure.columns};
        for (std::size_t a = 0; a < rows_.size(); ++a) {
            const Assignment& assignment = structure.slots[0][a];
            const auto classes = unwind(source, assignment.by_participant, rows_[a].size());
            for (std::size_t p = 0; p < rows_[a].size(); ++p) {
                const auto& row = rows_[a][p];
                EXPECT_EQ(unwind(source, assignment.columns[classes[p]], row.size()), row);
            }
        }
        EXPECT_TRUE(refold_families(structure) == structure_of(tables));
    }

    StructurePool pool_;
    std::vector<TogetherArgument> arguments_;
    std::vector<Rows> rows_;
};

TEST_F(OrderedFunctionsTest, RoundsByNumberAndByChance) {
    RandomSource random(9);
    u64 least = ~u64{0};
    u64 most = 0;
    for (const u32 cuts : {2U, 3U}) {
        const Exchange exchange(cuts, 4, random);
        arguments_.clear();
        rows_.clear();
        add(NumberKind::places, exchange.numbers());
        add(NumberKind::plain, exchange.sizes());
        const std::vector<FunctionTable> tables = find();
        ASSERT_EQ(tables.size(), 2U);
        EXPECT_EQ(tables[0].function_count, 26U);
        EXPECT_EQ(tables[0].size, 4 * 26U);
        EXPECT_NE(tables[0].choices, kNone);
        EXPECT_EQ(tables[1].factors.size(), 1U);
        EXPECT_TRUE(tables[1].follows);
        expect_same(tables);
        FunctionTable without = tables[0];
        without.choices = kNone;
        const u64 size = table_size(pool_, without) + table_size(pool_, tables[1]);
        least = std::min(least, size);
        most = std::max(most, size);
    }
    EXPECT_LE(most, least + 16);
}

/// An order by chance takes about as many bits as there are orders.
TEST_F(OrderedFunctionsTest, ChoicesTakeWhatChanceTakes) {
    RandomSource random(10);
    const Exchange exchange(2, 2, random);
    add(NumberKind::places, exchange.numbers());
    const auto found = find();
    ASSERT_EQ(found.size(), 1U);
    double bits = 0;
    for (const auto& row : exchange.numbers()) {
        for (std::size_t left = row.size() / 2; left > 1; --left) bits += std::log2(left);
    }
    const Column& choices = pool_.columns()[found[0].choices];
    EXPECT_LE(static_cast<double>(choices.values.size()) * 6, bits * 1.1);
    expect_same(found);
}

TEST_F(OrderedFunctionsTest, WhatIsNoNeighbourhoodIsNotTaken) {
    RandomSource random(11);
    const Exchange exchange(2, 3, random);
    Rows lacking = exchange.numbers();
    lacking[20].pop_back();  // in the last round only
    add(NumberKind::places, lacking);
    EXPECT_TRUE(find().empty());
    arguments_.clear();
    Rows sizes = exchange.sizes();
    ++sizes[20].back();  // no product
    add(NumberKind::places, exchange.numbers());
    add(NumberKind::plain, sizes);
    EXPECT_TRUE(find().empty());
}

TEST_F(OrderedFunctionsTest, DamagedTablesAreRefused) {
    RandomSource random(12);
    const Exchange exchange(2, 2, random);
    add(NumberKind::places, exchange.numbers());
    add(NumberKind::plain, exchange.sizes());
    const auto found = find();
    ASSERT_EQ(found.size(), 2U);
    const auto refused = [&](const std::vector<FunctionTable>& damaged) {
        Structure structure = structure_of(damaged);
        EXPECT_THROW(unfold_families(structure), Error);
    };
    const auto constant = [&](u64 value) {
        return pool_.intern({Column::Form::constant, value, 0, {}, kNone, kNone, {}});
    };
    refused({found[1], found[1]});  // follows none
    std::vector<FunctionTable> tables = found;
    tables[0].order = constant(3);
    refused(tables);
    tables = found;
    tables[0].choices = constant(63);  // more than there are
    refused(tables);
    tables[0].choices = kNone;
    refused(tables);
    tables = found;
    tables[1].size += 1;
    refused(tables);
    tables = found;
    tables[1].factor_of[0] = constant(9);
    refused(tables);
    tables = found;
    tables[1].factors[0] = pool_.intern({Column::Form::list, 0, 0, {7}, kNone, kNone, {}});
    refused(tables);
}

/// Any column in the place of another one is refused, or gives numbers.
TEST_F(OrderedFunctionsTest, AnyDamageIsRefusedOrRead) {
    RandomSource random(15);
    const Exchange exchange(2, 2, random);
    add(NumberKind::places, exchange.numbers());
    add(NumberKind::plain, exchange.sizes());
    const auto found = find();
    ASSERT_EQ(found.size(), 2U);
    int refused = 0;
    constexpr int kRounds = 500;
    for (int round = 0; round < kRounds; ++round) {
        std::vector<FunctionTable> tables = found;
        std::vector<u32*> columns = {&tables[0].function_of, &tables[0].order,
                                     &tables[0].choices,     &tables[0].presence,
                                     &tables[1].function_of, &tables[1].factors[0]};
        for (FunctionTable& table : tables) {
            for (u32& column : table.parameters) columns.push_back(&column);
            for (u32& column : table.factor_of) columns.push_back(&column);
        }
        Column other{Column::Form::constant, random.value(), 0, {}, kNone, kNone, {}};
        if (random.one_in(2)) {
            other.form = Column::Form::periodic;
            for (u64 left = random.between(1, 9); left > 0; --left) {
                other.values.push_back(random.one_in(9) ? random.value() : random.below(4));
            }
        }
        *random.pick(columns) = pool_.intern(std::move(other));
        Structure structure = structure_of(tables);
        try {
            unfold_families(structure);
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::corrupt);
            ++refused;
        }
    }
    EXPECT_GT(refused, kRounds / 10);
    EXPECT_LT(refused, kRounds);
}

/// Rounds that are merged from one order, in which some neighbours stand by number and some in any
/// order, and of which each participant lacks some: the order that is found gives each its own.
TEST(RoundOrderTest, StretchesHoldForAll) {
    RandomSource random(13);
    for (int run = 0; run < 300; ++run) {
        constexpr std::size_t kNeighbours = 12;
        std::vector<Round> rounds;
        for (u64 p = random.between(1, 20); p > 0; --p) {
            Round round;
            for (u64 n = 0; n < kNeighbours; ++n) {
                if (!random.one_in(3)) round.push_back({n, random.below(1000)});
            }
            const auto part = [&](u64 from, u64 to) {
                const auto at = [&](u64 neighbour) {
                    return std::find_if(
                        round.begin(), round.end(),
                        [neighbour](const NeighbourVisit& v) { return v.neighbour >= neighbour; });
                };
                return std::pair(at(from), at(to));
            };
            const auto [first, last] = part(2, 6);
            std::sort(first, last, [](const NeighbourVisit& a, const NeighbourVisit& b) {
                return a.number < b.number;
            });
            const auto [begin, end] = part(8, 11);
            for (auto it = begin; it < end; ++it) {
                std::swap(*it, *(it + static_cast<i64>(random.below(static_cast<u64>(end - it)))));
            }
            rounds.push_back(std::move(round));
        }
        const std::vector<RoundStretch> stretches = find_round_order(rounds, kNeighbours);
        std::vector<std::size_t> stretch_of(kNeighbours, 0);
        for (std::size_t s = 0; s < stretches.size(); ++s) {
            for (const u64 neighbour : stretches[s].neighbours) stretch_of[neighbour] = s;
        }
        for (const Round& round : rounds) {
            for (std::size_t k = 1; k < round.size(); ++k) {
                const std::size_t own = stretch_of[round[k].neighbour];
                const std::size_t before = stretch_of[round[k - 1].neighbour];
                ASSERT_LE(before, own);
                const bool sorted = before == own && stretches[own].is_rising;
                if (sorted) {
                    ASSERT_LE(round[k - 1].number, round[k].number);
                }
            }
        }
        for (const u64 apart : {0U, 1U, 6U, 7U, 11U}) {
            const bool met = std::any_of(rounds.begin(), rounds.end(), [&](const Round& round) {
                return std::any_of(round.begin(), round.end(), [&](const NeighbourVisit& visit) {
                    return visit.neighbour == apart;
                });
            });
            if (met) {
                EXPECT_EQ(stretches[stretch_of[apart]].neighbours.size(), 1U);
            }
        }
    }
}

}  // namespace
}  // namespace tracefold
