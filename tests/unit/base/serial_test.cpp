// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/world.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(SerialCommunicatorTest, IsAlone) {
    SerialCommunicator comm;
    EXPECT_EQ(comm.rank(), 0);
    EXPECT_EQ(comm.size(), 1);
}

TEST(SerialCommunicatorTest, RefusesEveryPartner) {
    SerialCommunicator comm;
    for (const int partner : {-1, 0, 1}) {
        EXPECT_THROW(comm.send(partner, "x"), Error);
        EXPECT_THROW(comm.receive(partner), Error);
        EXPECT_THROW(comm.start_send(partner, "x"), Error);
        EXPECT_THROW(comm.start_receive(partner), Error);
    }
    EXPECT_THROW(comm.broadcast("x", 1), Error);
    EXPECT_THROW(comm.gather("x", 1), Error);
}

TEST(SerialCommunicatorTest, AbortReturns) {
    SerialCommunicator comm;
    comm.abort(1);
    SUCCEED();
}

TEST(WorldTest, IsSerialIfNotLaunched) {
    const auto world = make_world(false, nullptr, nullptr);
    EXPECT_EQ(world->size(), 1);
    EXPECT_EQ(world->rank(), 0);
}

}  // namespace
}  // namespace tracefold
