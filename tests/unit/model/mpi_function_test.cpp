// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/mpi_function.hpp"

#include <cctype>
#include <string>
#include <utility>

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
    EXPECT_EQ(find_mpi_function("MPIX_Neighbor_alltoall_init")->family, CallFamily::unsupported);
    EXPECT_EQ(find_mpi_function("MPI_Isendrecv")->family, CallFamily::unsupported);
    EXPECT_EQ(find_mpi_function("mpi_pready_f08_")->family, CallFamily::unsupported);
    EXPECT_EQ(find_mpi_function("MPIX_Comm_shrink")->family, CallFamily::unsupported);
    EXPECT_EQ(find_mpi_function("MPI_Session_init")->family, CallFamily::local);
    EXPECT_EQ(find_mpi_function("MPI::Op::Init")->family, CallFamily::local);
    EXPECT_EQ(find_mpi_function("MPI_Comm_spawn")->function, MpiFunction::other);
}

TEST(MpiFunctionTest, RolesTellOfFunctionsThatNoStandardHas) {
    EXPECT_EQ(find_mpi_function("MPIX_Foo")->family, CallFamily::local);
    EXPECT_EQ(find_mpi_function("MPIX_Foo", RegionRole::point_to_point)->family,
              CallFamily::unsupported);
    EXPECT_EQ(find_mpi_function("NX_Gather", RegionRole::all_to_one)->family,
              CallFamily::unsupported);
    EXPECT_FALSE(find_mpi_function("NX_Rank", RegionRole::function));
    EXPECT_EQ(find_mpi_function("MPI_Send", RegionRole::barrier)->function, MpiFunction::Send);
}

/// Every function of the table in the spellings that keep its name.
TEST(MpiFunctionTest, AllFunctionsAreKnownInAllSpellings) {
    const auto lower = [](std::string text) {
        for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        return text;
    };
    for (std::size_t i = 0; i + 1 < kMpiFunctions; ++i) {
        const auto function = static_cast<MpiFunction>(i);
        const std::string name(name_of(function));
        const std::string small = lower(name);
        for (const std::string& spelled :
             {name + "_c", "P" + name + "_c", small + "_f08_", small + "_f08ts_large_",
              "pmpir_" + small.substr(4) + "_f08ts_", "__mpi_f08_MOD_" + small, name + " [a.c:3]",
              name + "() [{a.c} {3,1}]", "int " + name + "(void *, MPI_Comm) C",
              name + "@libmpi.so.12", "libmpi.so!" + name, "[libmpi.so] " + name, name + "+0x1f",
              "__wrap_" + name, name + ".part.0"}) {
            EXPECT_EQ(mpi_function_name(spelled), name) << spelled;
            EXPECT_EQ(find_mpi_function(spelled)->function, function) << spelled;
        }
    }
}

TEST(MpiNameTest, ClassesHaveFunctions) {
    const std::pair<const char*, const char*> names[] = {
        {"MPI::Comm::Send", "MPI_Send"},
        {"MPI::Init", "MPI_Init"},
        {"void MPI::Comm::Send(void const*, int) const", "MPI_Send"},
        {"_ZNK3MPI4Comm4SendEPKviRKNS_8DatatypeEii", "MPI_Send"},
        {"MPI::Intracomm MPI::Intracomm::Split(int, int) const", "MPI_Comm_split"},
        {"MPI::Cartcomm::Sub", "MPI_Cart_sub"},
        {"MPI::Win::Put", "MPI_Put"},
        {"MPI::Win::Fence(int) const", "MPI_Win_fence"},
        {"MPI::File::Write_at_all", "MPI_File_write_at_all"},
        {"MPI::Prequest::Start", "MPI_Start"},
        {"MPI::Request::Free()", "MPI_Request_free"},
    };
    for (const auto& [spelled, name] : names) EXPECT_EQ(mpi_function_name(spelled), name);
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
    for (const char* name : {"",
                             "main",
                             "MPI",
                             "MPI_",
                             "MPI_()",
                             "P",
                             "PMPI_",
                             "MPIX_",
                             "my_MPI_Send",
                             "MPI Collective Sync",
                             "PPMPI_Send",
                             "MPI::",
                             "solve(MPI_Comm)",
                             "MPI_Comm make(int)",
                             "std::vector<MPI_Comm> f()",
                             "/home/x/MPI_code/run",
                             "main [{MPI_code.c} {1,2}]",
                             "MPIR_Bcast_impl",
                             "MPI_::f",
                             "_Z3fooi"}) {
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
