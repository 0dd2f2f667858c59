// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/thread_team.hpp"

#include "base/communicator.hpp"
#include "base/error.hpp"

#include <atomic>
#include <string>
#include <thread>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

constexpr u32 kTeams[] = {1, 2, 3, 5};

std::string numbers_below(int end) {
    std::string text;
    for (int i = 0; i < end; ++i) text += std::to_string(i) + ";";
    return text;
}

TEST(ThreadTeamTest, RunsTheWorkOnEachRankAndTheFirstOnThisThread) {
    for (const u32 threads : kTeams) {
        std::atomic<u32> ranks = 0;
        std::thread::id first;
        run_as_team(threads, [&](Communicator& team) {
            EXPECT_EQ(team.size(), static_cast<int>(threads));
            ranks += 1U << static_cast<unsigned>(team.rank());
            if (team.rank() == 0) first = std::this_thread::get_id();
        });
        EXPECT_EQ(ranks, (1U << threads) - 1);
        EXPECT_EQ(first, std::this_thread::get_id());
    }
}

TEST(ThreadTeamTest, CollectiveCallsGiveWhatEachRankGave) {
    for (const u32 threads : kTeams) {
        run_as_team(threads, [](Communicator& team) {
            for (int root = 0; root < team.size(); ++root) {
                const std::string mine = std::to_string(team.rank()) + ";";
                EXPECT_EQ(team.broadcast(mine, root), std::to_string(root) + ";");
                const std::vector<std::string> all = team.gather(mine, root);
                std::string text;
                for (const std::string& one : all) text += one;
                EXPECT_EQ(text, team.rank() == root ? numbers_below(team.size()) : "");
                const std::vector<u64> values =
                    team.all_gather(static_cast<u64>(team.rank() + root));
                for (std::size_t i = 0; i < values.size(); ++i) {
                    EXPECT_EQ(values[i], i + static_cast<u64>(root));
                }
            }
        });
    }
}

TEST(ThreadTeamTest, MessagesArriveInTheirOrder) {
    for (const u32 threads : {2U, 3U, 5U}) {
        run_as_team(threads, [](Communicator& team) {
            const int to = (team.rank() + 1) % team.size();
            const int from = (team.rank() + team.size() - 1) % team.size();
            // What is started and what is sent do not get in each other's way.
            const auto flying = team.start_send(to, "flying");
            for (int i = 0; i < 100; ++i) team.send(to, std::to_string(i));
            for (int i = 0; i < 100; ++i) EXPECT_EQ(team.receive(from), std::to_string(i));
            const auto coming = team.start_receive(from);
            while (!coming->test()) {
            }
            EXPECT_EQ(coming->take(), "flying");
            EXPECT_TRUE(flying->test());
        });
    }
}

TEST(ThreadTeamTest, ReducesInTheOrderOfRanks) {
    for (const u32 threads : kTeams) {
        std::string all;
        run_as_team(threads, [&all](Communicator& team) {
            std::string mine = std::to_string(team.rank()) + ";";
            reduce_tree(
                team, mine, [](const std::string& text) { return text; },
                [](std::string& text, std::string_view bytes) { text += bytes; });
            if (team.rank() == 0) all = mine;
        });
        EXPECT_EQ(all, numbers_below(static_cast<int>(threads)));
    }
}

TEST(ThreadTeamTest, AllAgreeOnAFailure) {
    std::atomic<int> told = 0;
    EXPECT_THROW(run_as_team(3,
                             [&told](Communicator& team) {
                                 try {
                                     agree(team, [&team] {
                                         if (team.rank() == 1) throw Error(ErrorKind::io, "one");
                                     });
                                 } catch (const Error& error) {
                                     EXPECT_STREQ(error.what(), "one");
                                     ++told;
                                     throw;
                                 }
                             }),
                 Error);
    EXPECT_EQ(told, 3);
}

/// Nobody waits for it in vain, and what it threw is what is thrown.
TEST(ThreadTeamTest, ARankThatLeavesEndsTheTeam) {
    for (const int leaver : {0, 1, 2}) {
        try {
            run_as_team(3, [leaver](Communicator& team) {
                if (team.rank() == leaver) throw Error(ErrorKind::corrupt, "left");
                if (team.rank() == (leaver + 1) % 3) (void)team.receive(leaver);
                team.barrier();
                ADD_FAILURE() << "nobody passes";
            });
            ADD_FAILURE() << "nothing was thrown";
        } catch (const Error& error) {
            EXPECT_STREQ(error.what(), "left");
        }
    }
}

TEST(ThreadTeamTest, ThereIsNobodyBeyondTheTeam) {
    run_as_team(2, [](Communicator& team) {
        EXPECT_THROW(team.send(2, "bytes"), Error);
        EXPECT_THROW(team.send(team.rank(), "bytes"), Error);
        EXPECT_THROW((void)team.receive(-1), Error);
    });
}

}  // namespace
}  // namespace tracefold
