// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "common/part_options.hpp"

#include <string>

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

TEST(NameFilterTest, TimeAndStackDoNotDependOnHowANameMatches) {
    NameFilter filter;
    filter.add_list("*foo*,*a*a*a*a*a*a*a*a*b,/(a*)*c$/");
    EXPECT_FALSE(filter.matches(std::string(300, 'a')));
    EXPECT_FALSE(filter.matches(std::string(1U << 20U, 'a')));
    EXPECT_TRUE(filter.matches(std::string(1U << 20U, 'a') + "foo" + std::string(1U << 20U, 'x')));
}

TEST(NameFilterTest, ShellPatternsMatchWholeNamesOfAnyBytes) {
    NameFilter filter;
    filter.add("a?[1]*.c");
    EXPECT_TRUE(filter.matches("a\xFC[1]\n.c")) << "not UTF-8, two lines";
    EXPECT_FALSE(filter.matches("a\xC3\xBC[1].c")) << "? is one byte";
    EXPECT_FALSE(filter.matches("xab[1].c"));
    EXPECT_FALSE(filter.matches("ab1.c"));
}

TEST(NameFilterTest, WrongExpressionsAreRefusedWithTheReason) {
    NameFilter filter;
    try {
        filter.add("/send(/");
        FAIL() << "accepted";
    } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::usage);
        EXPECT_STREQ(error.what(), "'/send(/' is not a regular expression: missing ): send(");
    }
}

}  // namespace
}  // namespace tracefold
