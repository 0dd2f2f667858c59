// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// What holds for every communicator: run by one process without MPI and by several under mpiexec.
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "mpi/comm_world.hpp"

#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::string name_of(int rank) { return std::to_string(rank).append(";"); }

std::string names_up_to(int size) {
    std::string names;
    for (int rank = 0; rank < size; ++rank) {
        names += name_of(rank);
    }
    return names;
}

TEST(CommunicatorTest, RanksAreNumberedFromZero) {
    Communicator& comm = test_world();
    EXPECT_GE(comm.rank(), 0);
    EXPECT_LT(comm.rank(), comm.size());
    std::vector<u64> expected(static_cast<std::size_t>(comm.size()));
    std::iota(expected.begin(), expected.end(), u64{0});
    EXPECT_EQ(comm.all_gather(static_cast<u64>(comm.rank())), expected);
}

TEST(CommunicatorTest, AllGatherKeepsAllBits) {
    for (const u64 value : test_world().all_gather(~u64{0})) {
        EXPECT_EQ(value, ~u64{0});
    }
}

TEST(CommunicatorTest, BroadcastGivesTheBytesOfEveryPossibleRoot) {
    Communicator& comm = test_world();
    for (int root = 0; root < comm.size(); ++root) {
        EXPECT_EQ(comm.broadcast(name_of(comm.rank()), root), name_of(root));
    }
}

TEST(CommunicatorTest, BroadcastOfNothingReplacesSomething) {
    Communicator& comm = test_world();
    EXPECT_EQ(comm.broadcast(comm.rank() == 0 ? "" : "something", 0), "");
}

TEST(CommunicatorTest, GatherOrdersByRankAtTheRootOnly) {
    Communicator& comm = test_world();
    const int root = comm.size() - 1;
    const std::vector<std::string> all = comm.gather(name_of(comm.rank()), root);
    if (comm.rank() != root) {
        EXPECT_TRUE(all.empty());
        return;
    }
    ASSERT_EQ(all.size(), static_cast<std::size_t>(comm.size()));
    for (int rank = 0; rank < comm.size(); ++rank) {
        EXPECT_EQ(all[static_cast<std::size_t>(rank)], name_of(rank));
    }
}

TEST(CommunicatorTest, MessagesKeepTheirOrderAndAllBytes) {
    Communicator& comm = test_world();
    const std::vector<std::string> messages = {std::string("\0\xFF\n", 3), "",
                                               std::string(1U << 20U, 'x'), "last"};
    if (comm.rank() > 0) {
        for (const std::string& message : messages) {
            EXPECT_EQ(comm.receive(comm.rank() - 1), message);
        }
    }
    if (comm.rank() + 1 < comm.size()) {
        for (const std::string& message : messages) {
            comm.send(comm.rank() + 1, message);
        }
    }
    comm.barrier();
}

void wait_for(MessageInFlight& message) {
    while (!message.test()) {
    }
}

TEST(CommunicatorTest, MessagesInFlightKeepTheirOrderBesideThoseThatWait) {
    Communicator& comm = test_world();
    const std::vector<std::string> texts = {"", std::string(300000, 'a'), std::string("\0b", 2)};
    std::vector<std::unique_ptr<MessageInFlight>> sends;
    for (int other = 0; other < comm.size(); ++other) {
        if (other == comm.rank()) continue;
        for (const std::string& text : texts) sends.push_back(comm.start_send(other, text));
    }
    const int next = (comm.rank() + 1) % comm.size();
    const int previous = (comm.rank() + comm.size() - 1) % comm.size();
    if (comm.size() > 1) comm.send(next, "waits");
    for (int other = 0; other < comm.size(); ++other) {
        if (other == comm.rank()) continue;
        for (const std::string& text : texts) {
            const auto message = comm.start_receive(other);
            wait_for(*message);
            EXPECT_EQ(message->take(), text);
        }
    }
    if (comm.size() > 1) {
        EXPECT_EQ(comm.receive(previous), "waits");
    }
    for (const auto& message : sends) wait_for(*message);
    comm.barrier();
}

TEST(CommunicatorTest, ReceivesFromAllAreUnderWayAtOnce) {
    Communicator& comm = test_world();
    std::vector<std::unique_ptr<MessageInFlight>> receives;
    std::vector<std::unique_ptr<MessageInFlight>> sends;
    for (int other = 0; other < comm.size(); ++other) {
        if (other != comm.rank()) receives.push_back(comm.start_receive(other));
    }
    for (int other = comm.size(); other-- > 0;) {
        if (other != comm.rank()) sends.push_back(comm.start_send(other, name_of(comm.rank())));
    }
    std::string names;
    for (const auto& message : receives) {
        wait_for(*message);
        names += message->take();
    }
    for (const auto& message : sends) wait_for(*message);
    std::string expected = names_up_to(comm.size());
    expected.erase(expected.find(name_of(comm.rank())), name_of(comm.rank()).size());
    EXPECT_EQ(names, expected);
    comm.barrier();
}

TEST(ReduceTreeTest, MergesRanksInRisingOrderForEveryFanout) {
    Communicator& comm = test_world();
    for (const int fanout : {2, 3, 4, 64}) {
        std::string mine = name_of(comm.rank());
        reduce_tree(
            comm, mine, [](const std::string& state) { return state; },
            [](std::string& state, std::string_view received) { state += received; }, fanout);
        if (comm.rank() == 0) {
            EXPECT_EQ(mine, names_up_to(comm.size())) << "fanout " << fanout;
        }
    }
}

TEST(ReduceTreeTest, StatesMayBeOfAnyTypeAndSerialiseToNothing) {
    Communicator& comm = test_world();
    int merged = 0;
    reduce_tree(
        comm, merged, [](int) { return std::string(); },
        [](int& state, std::string_view received) { state += received.empty() ? 1 : 100; });
    if (comm.rank() == 0) {
        EXPECT_EQ(merged, static_cast<int>(tree_place(0, comm.size(), 2).children.size()));
    }
}

// Every process must get the error of `failing`, whatever step of the tree it fails in.
void expect_failure_everywhere(int failing, bool in_serialise) {
    Communicator& comm = test_world();
    const auto fail_if = [&](bool condition) {
        if (condition && comm.rank() == failing) {
            throw Error(ErrorKind::corrupt, "bad state of " + name_of(failing));
        }
    };
    std::string mine = name_of(comm.rank());
    try {
        reduce_tree(
            comm, mine,
            [&](const std::string& state) {
                fail_if(in_serialise);
                return state;
            },
            [&](std::string&, std::string_view) { fail_if(!in_serialise); }, 4);
        FAIL() << "no error of process " << failing;
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::corrupt);
        EXPECT_EQ(std::string(error.what()), "bad state of " + name_of(failing));
    }
}

TEST(ReduceTreeTest, EveryProcessLearnsOfAFailureAndNobodyIsLeftWaiting) {
    const int size = test_world().size();
    for (int rank = 0; rank < size; ++rank) {
        const TreePlace place = tree_place(rank, size, 4);
        if (place.parent >= 0) {
            expect_failure_everywhere(rank, true);
        }
        if (!place.children.empty()) {
            expect_failure_everywhere(rank, false);
        }
    }
}

TEST(AgreeTest, ReturnsIfAllSucceed) {
    int calls = 0;
    agree(test_world(), [&] { ++calls; });
    EXPECT_EQ(calls, 1);
}

TEST(AgreeTest, EveryProcessThrowsTheErrorOfTheLowestFailingRank) {
    Communicator& comm = test_world();
    const int lowest = comm.size() / 2;
    try {
        agree(comm, [&] {
            if (comm.rank() >= lowest) {
                throw Error(ErrorKind::unsupported, "version of " + name_of(comm.rank()));
            }
        });
        FAIL() << "no error";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::unsupported);
        EXPECT_EQ(std::string(error.what()), "version of " + name_of(lowest));
    }
}

TEST(AgreeTest, AProcessAloneThrowsWhatItsWorkThrew) {
    SerialCommunicator alone;
    const auto fail = [] { throw std::runtime_error("surprise"); };
    EXPECT_THROW(agree(alone, fail), std::runtime_error);
    EXPECT_THROW(agree(alone, [] { throw std::bad_alloc(); }), std::bad_alloc);
}

TEST(AgreeTest, OtherExceptionsOfSeveralProcessesBecomeInternalErrors) {
    Communicator& comm = test_world();
    if (comm.size() == 1) GTEST_SKIP() << "for several processes";
    const auto kind_of = [&](const std::function<void()>& failing) {
        try {
            agree(comm, [&] {
                if (comm.rank() == comm.size() - 1) {
                    failing();
                }
            });
        } catch (const Error& error) {
            return std::string(error.what());
        }
        return std::string("no error");
    };
    EXPECT_EQ(kind_of([] { throw std::runtime_error("surprise"); }), "surprise");
    EXPECT_EQ(kind_of([] { throw std::bad_alloc(); }), "a process ran out of memory");
    EXPECT_EQ(kind_of([] { throw 7; }), "a process failed for an unknown reason");
}

TEST(AgreeTest, CanBeUsedAgainAfterAFailure) {
    EXPECT_THROW(agree(test_world(), [] { throw Error(ErrorKind::io, "all fail"); }), Error);
    EXPECT_NO_THROW(agree(test_world(), [] {}));
}

}  // namespace
}  // namespace tracefold
