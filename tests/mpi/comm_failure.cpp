// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// Fails on the last process only: the whole program must report a failure.
#include "mpi/comm_world.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(MpiMainTest, FailsOnTheLastProcess) {
    EXPECT_NE(test_world().rank(), test_world().size() - 1);
}

}  // namespace
}  // namespace tracefold
