// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/system/system_tree.hpp"

#include "base/error.hpp"
#include "support/definition_writer.hpp"
#include "support/one_batch.hpp"

#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// Writes the definitions of a machine: ids count from 0 per kind.
class Machine : private DefinitionWriter {
  public:
    u64 node(std::string_view type, std::string_view name, u64 parent = kNone) {
        add(DefinitionType::SystemTreeNode, {nodes_, string(name), string(type), parent});
        return nodes_++;
    }
    /// A process with one thread; those of MPI have the next rank.
    void process(u64 node, std::string_view name, bool mpi = true) {
        add(DefinitionType::LocationGroup, {groups_, string(name), 1, node, kNone});
        add(DefinitionType::Location, {groups_, string("Master thread"), 1, 0, groups_});
        if (mpi) ranks_.push_back(groups_);
        ++groups_;
    }
    void nodes(u64 parent, std::string_view type, u64 first, u64 count, u64 processes) {
        for (u64 i = 0; i < count; ++i) {
            const u64 self = node(type, "n" + std::to_string(first + i), parent);
            for (u64 p = 0; p < processes; ++p) {
                process(self, "MPI Rank " + std::to_string(ranks_.size()));
            }
        }
    }

    SystemTree tree() {
        const u64 name = string("world");
        add(DefinitionType::Group, {0, name, kGroupCommLocations, kParadigmMpi, 0, ranks_.size()});
        batch().push(ranks_);
        DefinitionIndex definitions;
        definitions.add(batch());
        definitions.finish();
        OneBatch source(batch());
        return {definitions, source};
    }

  private:
    std::vector<u64> ranks_;
    u64 nodes_ = 0;
    u64 groups_ = 0;
};

TEST(SystemTreeTest, RanksHavePlacesAndPlacesRanks) {
    Machine machine;
    machine.nodes(machine.node("machine", "Linux"), "node", 10, 3, 4);
    const SystemTree tree = machine.tree();
    for (u64 rank = 0; rank < 12; ++rank) {
        const auto item = tree.item_of_process(rank);
        ASSERT_TRUE(item);
        const std::vector<u32> path = tree.path(*item);
        ASSERT_EQ(path.size(), 3U);
        EXPECT_EQ(tree.items()[path[0]].name, "Linux");
        EXPECT_EQ(tree.items()[path[1]].name, "n" + std::to_string(10 + rank / 4));
        EXPECT_EQ(tree.items()[path[2]].name, "MPI Rank " + std::to_string(rank));
        EXPECT_EQ(tree.ranks_below(path[1]).front(), rank / 4 * 4);
        EXPECT_EQ(tree.ranks_below(*item), std::vector<u32>{static_cast<u32>(rank)});
    }
    EXPECT_FALSE(tree.item_of_process(12));
}

TEST(SystemTreeTest, RegularMachineIsOneLinePerLevel) {
    Machine machine;
    machine.nodes(machine.node("machine", "Linux"), "node", 0, 100, 8);
    const auto lines = outline(machine.tree());
    ASSERT_EQ(lines.size(), 1U);
    ASSERT_EQ(lines[0].children.size(), 1U);
    const SystemOutline& node = lines[0].children[0];
    EXPECT_EQ(node.copies, 100U);
    EXPECT_EQ(node.first_name, "n0");
    EXPECT_EQ(node.last_name, "n99");
    EXPECT_EQ(node.ranks.size(), 800U);
    ASSERT_EQ(node.children.size(), 1U);
    EXPECT_EQ(node.children[0].copies, 8U);
    EXPECT_EQ(node.children[0].last_name, "MPI Rank 799");
    ASSERT_EQ(node.children[0].children.size(), 1U);
    EXPECT_EQ(node.children[0].children[0].type, "cpu_thread");
}

TEST(SystemTreeTest, NodesOfSeveralTypesAreALineEach) {
    Machine machine;
    const u64 root = machine.node("machine", "Linux");
    machine.nodes(root, "node", 0, 5, 2);
    machine.nodes(root, "fat node", 5, 3, 2);
    machine.nodes(root, "node", 8, 4, 2);
    machine.nodes(root, "node", 12, 1, 3);
    const auto nodes = outline(machine.tree())[0].children;
    ASSERT_EQ(nodes.size(), 3U);
    EXPECT_EQ(nodes[0].copies, 9U);
    EXPECT_EQ(nodes[0].last_name, "n11");
    EXPECT_EQ(nodes[1].type, "fat node");
    EXPECT_EQ(nodes[1].copies, 3U);
    EXPECT_EQ(nodes[2].copies, 1U);
    EXPECT_EQ(nodes[2].children[0].copies, 3U);
}

TEST(SystemTreeTest, ProcessesWithoutRankAreShownToo) {
    Machine machine;
    const u64 root = machine.node("machine", "Linux");
    machine.process(root, "daemon", false);
    const SystemTree tree = machine.tree();
    EXPECT_EQ(tree.items().size(), 3U);
    EXPECT_TRUE(tree.ranks_below(tree.roots()[0]).empty());
}

TEST(SystemTreeTest, UndefinedParentsMakeRoots) {
    Machine machine;
    machine.process(machine.node("node", "lost", 77), "MPI Rank 0");
    EXPECT_EQ(machine.tree().roots().size(), 1U);
}

TEST(SystemTreeTest, CyclesAreCut) {
    Machine machine;
    machine.node("node", "a", 1);
    machine.node("node", "b", 0);
    machine.node("node", "self", 2);
    const SystemTree tree = machine.tree();
    EXPECT_EQ(tree.roots().size(), 2U);
    EXPECT_EQ(outline(tree).size(), 2U);
}

TEST(SystemTreeTest, DeeperThanAnyMachineIsRefused) {
    Machine machine;
    u64 parent = kNone;
    for (u64 i = 0; i < 1000; ++i) parent = machine.node("node", "n", parent);
    EXPECT_THROW(machine.tree(), Error);
}

}  // namespace
}  // namespace tracefold
