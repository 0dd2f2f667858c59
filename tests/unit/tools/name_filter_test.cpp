// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/part_options.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(NameFilterTest, PatternsMatchRecordedNames) {
    NameFilter filter;
    EXPECT_TRUE(filter.matches("anything")) << "nothing was asked for";
    filter.add_list("MPI_I*,/solve|step/");
    EXPECT_TRUE(filter.matches("MPI_Isend"));
    EXPECT_TRUE(filter.matches("do_step_2"));
    EXPECT_FALSE(filter.matches("MPI_Send"));
}

TEST(NameFilterTest, FunctionsOfMpiMatchByTheirStandardNamesToo) {
    NameFilter filter;
    filter.add("MPI_Bcast");
    for (const char* name : {"MPI_Bcast", "MPI_Bcast()", "mpi_bcast_", "PMPI_Bcast"}) {
        EXPECT_TRUE(filter.matches(name)) << name;
    }
    EXPECT_FALSE(filter.matches("my_MPI_Bcast"));
    NameFilter recorded;
    recorded.add("mpi_bcast_");
    EXPECT_TRUE(recorded.matches("mpi_bcast_"));
    EXPECT_FALSE(recorded.matches("MPI_Bcast()"));
}

}  // namespace
}  // namespace tracefold
