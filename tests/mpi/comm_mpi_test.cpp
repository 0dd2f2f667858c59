// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "base/mpi.hpp"
#include "base/world.hpp"
#include "mpi/comm_world.hpp"

#include <memory>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

// The main function has initialised MPI, so these sessions leave it alone.
std::shared_ptr<MpiSession> borrowed_session() {
    return std::make_shared<MpiSession>(nullptr, nullptr);
}

std::string text_of(std::size_t size, int seed) {
    std::string text(size, '\0');
    for (std::size_t i = 0; i < size; ++i) {
        text[i] = static_cast<char>('a' + (i + static_cast<std::size_t>(seed)) % 26);
    }
    return text;
}

TEST(MpiCommunicatorTest, LongMessagesTravelInPieces) {
    MpiCommunicator comm(borrowed_session(), 7);
    for (const std::size_t size : {0U, 1U, 6U, 7U, 8U, 13U, 14U, 15U, 100U}) {
        const std::string from_root = comm.broadcast(text_of(size, comm.rank()), 0);
        EXPECT_EQ(from_root, text_of(size, 0));
        const auto all = comm.gather(text_of(size, comm.rank()), 0);
        for (std::size_t rank = 0; rank < all.size(); ++rank) {
            EXPECT_EQ(all[rank], text_of(size, static_cast<int>(rank)));
        }
    }
}

TEST(MpiCommunicatorTest, MessagesInFlightTravelInPieces) {
    MpiCommunicator comm(borrowed_session(), 7);
    const int next = (comm.rank() + 1) % comm.size();
    const int previous = (comm.rank() + comm.size() - 1) % comm.size();
    for (const std::size_t size : {0U, 6U, 7U, 8U, 100U}) {
        if (comm.size() == 1) continue;
        const auto sent = comm.start_send(next, text_of(size, comm.rank()));
        const auto received = comm.start_receive(previous);
        while (!received->test() || !sent->test()) {
        }
        EXPECT_EQ(received->take(), text_of(size, previous));
    }
}

TEST(MpiCommunicatorTest, OneThatIsGivenUpLeavesTheProgramAlone) {
    MpiCommunicator comm(borrowed_session());
    if (comm.size() > 1) {
        const auto never_sent = comm.start_receive((comm.rank() + 1) % comm.size());
        EXPECT_FALSE(never_sent->test());
    }
    comm.barrier();
}

TEST(MpiCommunicatorTest, CommunicatorsDoNotHearEachOther) {
    if (test_world().size() < 2) {
        GTEST_SKIP() << "needs two processes";
    }
    MpiCommunicator other(borrowed_session());
    if (other.rank() == 0) {
        other.send(1, "other");
        test_world().send(1, "world");
    } else if (other.rank() == 1) {
        EXPECT_EQ(test_world().receive(0), "world");
        EXPECT_EQ(other.receive(0), "other");
    }
}

TEST(MpiCommunicatorTest, FailuresCarryTheMessageOfMpi) {
    MpiCommunicator comm(borrowed_session());
    try {
        comm.broadcast("bytes", comm.size());
        FAIL() << "a root that does not exist";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::io);
        EXPECT_NE(std::string(error.what()).find("MPI_Bcast failed: "), std::string::npos);
        EXPECT_NE(std::string(error.what()).find("root"), std::string::npos) << error.what();
    }
}

TEST(MpiCommunicatorTest, RefusesPartnersThatDoNotExist) {
    for (const int partner : {-1, test_world().rank(), test_world().size()}) {
        EXPECT_THROW(test_world().send(partner, "x"), Error);
        EXPECT_THROW(test_world().receive(partner), Error);
    }
}

TEST(WorldTest, SeesAllProcessesOnlyIfLaunched) {
    const auto launched = make_world(true, nullptr, nullptr);
    EXPECT_EQ(launched->size(), test_world().size());
    EXPECT_EQ(launched->rank(), test_world().rank());
    EXPECT_EQ(make_world(false, nullptr, nullptr)->size(), 1);
}

}  // namespace
}  // namespace tracefold
