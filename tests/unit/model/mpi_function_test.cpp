// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mpi_function.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(MpiFunctionTest, AnySpellingNamesTheFunction) {
    for (const char* name : {"MPI_Isend", "MPI_Isend()", "mpi_isend_", "PMPI_Isend"}) {
        const auto info = find_mpi_function(name);
        ASSERT_TRUE(info) << name;
        EXPECT_EQ(info->function, MpiFunction::Isend);
        EXPECT_EQ(info->family, CallFamily::post_send);
        EXPECT_EQ(name_of(info->function), "MPI_Isend");
    }
    EXPECT_FALSE(find_mpi_function("main"));
    EXPECT_FALSE(find_mpi_function("MPIX"));
}

TEST(MpiFunctionTest, OtherFunctionsReachOtherProcessesOrNot) {
    EXPECT_EQ(find_mpi_function("MPI_Comm_rank")->family, CallFamily::local);
    EXPECT_EQ(find_mpi_function("MPI_Bcast_init")->family, CallFamily::unsupported);
    EXPECT_EQ(find_mpi_function("MPI_Isendrecv")->family, CallFamily::unsupported);
    EXPECT_EQ(find_mpi_function("MPI_Comm_spawn")->function, MpiFunction::other);
}

}  // namespace
}  // namespace tracefold
