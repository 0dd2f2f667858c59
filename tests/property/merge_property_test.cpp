// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/structure_index.hpp"
#include "property/random_records.hpp"
#include "support/call_stream.hpp"

#include <memory>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kRanks = 12;

/// What one location says, and its facts.
struct Folded {
    EncodedCalls calls;
    LocationFacts facts;
};

class MergePropertyTest : public ::testing::Test {
  protected:
    std::vector<Folded> random_archive(RandomSource& random) const {
        std::vector<Folded> locations;
        const std::vector<u64> programs{random.any(), random.any(), random.any()};
        for (u32 rank = 0; rank < kRanks; ++rank) {
            RandomSource shared(random.pick(programs));
            RecordBatch records;
            if (!random.one_in(6)) records = random_program_events(shared, kRanks, rank);
            if (random.one_in(8)) records = random_events(random, 20);
            locations.push_back({encode_calls(world_, {}, rank, records),
                                 {records.size(), random.below(3), 1, random.below(2), 0, 0}});
        }
        return locations;
    }

    static void add(const Folded& location, u32 rank, StructureStore& store) {
        fold_calls(location.calls, rank, store);
        store.set_facts(rank, location.facts);
    }

    static Structure in_order(const std::vector<Folded>& archive) {
        StructureStore store;
        for (u32 rank = 0; rank < kRanks; ++rank) add(archive[rank], rank, store);
        return store.finish(Stream::events, kRanks);
    }

    /// Locations dealt out to any number of stores in any order, which are then united in pairs.
    static Structure by_a_random_tree(const std::vector<Folded>& archive, RandomSource& random) {
        std::vector<u32> order;
        for (u32 rank = 0; rank < kRanks; ++rank) order.push_back(rank);
        for (std::size_t i = order.size(); i > 1; --i) {
            std::swap(order[i - 1], order[random.below(i)]);
        }
        std::vector<std::unique_ptr<StructureStore>> stores;
        const u64 count = random.between(1, kRanks + 2);
        for (u64 i = 0; i < count; ++i) stores.push_back(std::make_unique<StructureStore>());
        for (const u32 rank : order) add(archive[rank], rank, *random.pick(stores));
        while (stores.size() > 1) {
            const u64 from = random.below(stores.size());
            const std::unique_ptr<StructureStore> taken = std::move(stores[from]);
            stores.erase(stores.begin() + static_cast<i64>(from));
            random.pick(stores)->merge(taken->partial());
        }
        return stores[0]->finish(Stream::events, kRanks);
    }

    const SmallWorld world_{kRanks};
};

TEST_F(MergePropertyTest, TheShapeOfTheTreeDoesNotMatter) {
    for (u64 seed = 0; seed < 100; ++seed) {
        RandomSource random(seed);
        const std::vector<Folded> archive = random_archive(random);
        const Structure expected = in_order(archive);
        for (int tree = 0; tree < 3; ++tree) {
            ASSERT_TRUE(by_a_random_tree(archive, random) == expected)
                << "seed " << seed << " tree " << tree;
        }
    }
}

/// Calls `use` for each column that `functions` refer to.
template <class Use>
void use_all(const FunctionTable& functions, const Use& use) {
    for (const auto* columns : {&functions.parameters, &functions.lookups, &functions.presences}) {
        for (const u32 column : *columns) use(column);
    }
    use(functions.lookup_of);
    use(functions.function_of);
    use(functions.presence);
    use(functions.group_of);
}

TEST_F(MergePropertyTest, ColumnsReferToEarlierOnesAndAllAreUsed) {
    for (u64 seed = 0; seed < 100; ++seed) {
        RandomSource random(1000 + seed);
        const Structure structure = in_order(random_archive(random));
        std::vector<bool> used(structure.columns.size(), false);
        const auto use = [&used](u32 column) {
            if (column != kNone) used.at(column) = true;
        };
        for (const u32 column : structure.script_of) use(column);
        for (const u32 column : structure.facts) use(column);
        for (const auto* table : {&structure.script_counts, &structure.slots}) {
            for (const auto& assignments : *table) {
                for (const Assignment& assignment : assignments) {
                    use(assignment.by_participant);
                    for (const u32 column : assignment.columns) use(column);
                    if (assignment.functions) use_all(*assignment.functions, use);
                    for (const ColumnFamily& family : assignment.families) {
                        for (const auto& number : family.numbers) use(number.column);
                    }
                }
            }
        }
        for (std::size_t id = structure.columns.size(); id-- > 0;) {
            ASSERT_TRUE(used[id]) << "seed " << seed << " column " << id;
            const Column& column = structure.columns[id];
            if (!column.is_folded()) continue;
            ASSERT_LT(column.alphabet, id);
            use(column.alphabet);
            for (const NodeCount& count : column.counts) {
                ASSERT_LT(count.column, id);
                use(count.column);
            }
        }
    }
}

TEST_F(MergePropertyTest, AnIndexGivesBackWhatEachLocationHas) {
    for (u64 seed = 0; seed < 150; ++seed) {
        RandomSource random(2000 + seed);
        const std::vector<Folded> archive = random_archive(random);
        const Structure structure = by_a_random_tree(archive, random);
        StructureIndex index(structure);
        for (u32 rank = 0; rank < kRanks; ++rank) {
            ASSERT_EQ(index.facts(rank), archive[rank].facts);
            const AppendBuffer<u32>& calls = archive[rank].calls.calls.symbols;
            ASSERT_EQ(index.script(Stream::events, rank) == kNone, calls.empty());
            LocationCursor cursor(index, Stream::events, rank);
            u32 symbol = 0;
            AppendBuffer<u64> values;
            for (const u32 expected : calls) {
                ASSERT_TRUE(cursor.next(symbol, values));
                ASSERT_EQ(structure.symbols[symbol], archive[rank].calls.symbols[expected]);
                ASSERT_TRUE(index.participants_of_symbol(symbol).contains(rank));
            }
            ASSERT_FALSE(cursor.next(symbol, values));
        }
    }
}

TEST_F(MergePropertyTest, ClassesPartitionTheParticipants) {
    for (u64 seed = 0; seed < 100; ++seed) {
        RandomSource random(3000 + seed);
        const Structure structure = in_order(random_archive(random));
        StructureIndex index(structure);
        for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
            const ParticipantList all = index.participants_of_symbol(symbol);
            for (const Assignment& slot : structure.slots[symbol]) {
                ParticipantList united;
                u64 total = 0;
                u32 first = 0;
                for (const StructureIndex::Class& part : index.classes(slot, all)) {
                    ASSERT_FALSE(part.participants.empty());
                    ASSERT_GE(part.participants.first(), first);
                    first = part.participants.first();
                    total += part.participants.size();
                    united.unite(part.participants);
                }
                ASSERT_EQ(united, all);
                ASSERT_EQ(total, all.size());
            }
        }
    }
}

}  // namespace
}  // namespace tracefold
