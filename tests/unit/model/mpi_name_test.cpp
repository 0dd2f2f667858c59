// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mpi_name.hpp"

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(MpiNameTest, AnySpellingIsTheStandardsName) {
    for (const char* name : {"MPI_Init", "MPI_Init()", "mpi_init", "MPI_INIT", "mpi_init_",
                             "mpi_init__", "PMPI_Init", "PMPI_INIT", "pmpi_init_", "PMPI_Init()"}) {
        EXPECT_EQ(mpi_function_name(name), "MPI_Init") << name;
    }
    EXPECT_EQ(mpi_function_name("mpi_comm_split_type_"), "MPI_Comm_split_type");
    EXPECT_EQ(mpi_function_name("MPI_T_INIT_THREAD"), "MPI_T_init_thread");
}

TEST(MpiNameTest, OtherNamesAreNone) {
    for (const char* name : {"", "main", "MPI", "MPI_", "MPI_()", "MPIX_Test", "P", "PMPI_",
                             "my_MPI_Send", "MPI Collective Sync", "PPMPI_Send"}) {
        EXPECT_EQ(mpi_function_name(name), "") << name;
    }
}

}  // namespace
}  // namespace tracefold
