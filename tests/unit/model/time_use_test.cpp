// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/time_use.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

TEST(TimeUseTest, EveryUseHasAColourOfItsOwn) {
    std::set<std::string_view> names;
    std::set<std::string_view> words;
    std::set<std::string_view> colours;
    for (std::size_t use = 0; use < kTimeUses; ++use) {
        const TimeUseInfo& info = time_use_info(static_cast<TimeUse>(use));
        names.insert(info.name);
        words.insert(info.word);
        for (const std::string_view colour : {info.light, info.dark}) {
            EXPECT_EQ(colour.size(), 7U) << info.name;
            EXPECT_EQ(colour.find_first_not_of("#0123456789abcdef"), std::string_view::npos);
            colours.insert(colour);
        }
    }
    EXPECT_EQ(names.size(), kTimeUses);
    EXPECT_EQ(words.size(), kTimeUses);
    EXPECT_EQ(colours.size(), 2 * kTimeUses);
}

TEST(TimeUseTest, FunctionsOfMpiByName) {
    EXPECT_EQ(time_use_of_mpi("MPI_Waitall"), TimeUse::point_to_point);
    EXPECT_EQ(time_use_of_mpi("mpi_ibcast_"), TimeUse::collective);
    EXPECT_EQ(time_use_of_mpi("MPI_Neighbor_alltoall"), TimeUse::collective);
    EXPECT_EQ(time_use_of_mpi("MPI_Win_fence"), TimeUse::one_sided);
    EXPECT_EQ(time_use_of_mpi("MPI_File_write_all"), TimeUse::file_io);
    EXPECT_EQ(time_use_of_mpi("MPI_Init_thread"), TimeUse::other_mpi);
    EXPECT_EQ(time_use_of_mpi("MPI_Comm_split"), TimeUse::other_mpi);
    EXPECT_EQ(time_use_of_mpi("!$omp implicit barrier"), TimeUse::computation);
    EXPECT_EQ(time_use_of(AcceleratorUse::kernel), TimeUse::kernel);
    EXPECT_EQ(time_use_of(AcceleratorUse::wait), TimeUse::device_wait);
}

}  // namespace
}  // namespace tracefold
