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

TEST(MpiFunctionTest, CompletionsAreKnownByName) {
    for (const char* name : {"MPI_Wait", "mpi_waitsome_", "MPI_Testany()", "MPI_Request_get_status",
                             "MPI_Request_get_status_any", "MPI_Request_get_status_all"}) {
        EXPECT_TRUE(completes_requests(name)) << name;
    }
    for (const char* name : {"MPI_Test_cancelled", "MPI_Win_wait", "MPI_Start", "main", ""}) {
        EXPECT_FALSE(completes_requests(name)) << name;
    }
}

TEST(MpiFunctionTest, CollectivesHaveAKind) {
    EXPECT_EQ(collective_kind(MpiFunction::Ireduce_scatter), CollectiveKind::reduce_scatter);
    EXPECT_EQ(collective_kind(MpiFunction::Alltoallw), CollectiveKind::alltoallw);
    EXPECT_EQ(collective_kind(MpiFunction::Comm_dup), std::nullopt);
    EXPECT_EQ(collective_function(CollectiveKind::scan), MpiFunction::Scan);
    EXPECT_EQ(collective_function(CollectiveKind::allocate), MpiFunction::other);
}

}  // namespace
}  // namespace tracefold
