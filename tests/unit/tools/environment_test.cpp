// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/console.hpp"

#include <cstdlib>
#include <map>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

namespace tracefold {
namespace {

Environment variables(std::map<std::string, std::string> values) {
    return [values = std::move(values)](const std::string& name) -> std::optional<std::string> {
        const auto found = values.find(name);
        if (found == values.end()) return std::nullopt;
        return found->second;
    };
}

TEST(EnvironmentTest, TellsUnsetFromEmpty) {
    setenv("TRACEFOLD_TEST_EMPTY", "", 1);
    unsetenv("TRACEFOLD_TEST_UNSET");
    const Environment environment = process_environment();
    EXPECT_EQ(environment("TRACEFOLD_TEST_EMPTY"), "");
    EXPECT_EQ(environment("TRACEFOLD_TEST_UNSET"), std::nullopt);
}

TEST(EnvironmentTest, PutsTemporaryFilesWhereTmpdirSays) {
    EXPECT_EQ(scratch_directory(variables({{"TMPDIR", "/scratch"}})), "/scratch");
    EXPECT_EQ(scratch_directory(variables({{"TMPDIR", ""}})), "/tmp");
    EXPECT_EQ(scratch_directory(variables({})), "/tmp");
}

TEST(LauncherTest, PlainProcessIsNoMpiJob) {
    EXPECT_FALSE(launched_by_mpirun(variables({})));
    EXPECT_EQ(read_launch(variables({})).size, 0U);
}

TEST(LauncherTest, KnowsEachLauncher) {
    for (const char* name : {"PMI_RANK", "PMI_SIZE", "PMIX_RANK", "OMPI_COMM_WORLD_RANK",
                             "PALS_RANKID", "MV2_COMM_WORLD_RANK"})
        EXPECT_TRUE(launched_by_mpirun(variables({{name, "0"}}))) << name;
}

TEST(LauncherTest, BatchScriptIsNoStepOfSlurm) {
    EXPECT_FALSE(launched_by_mpirun(variables({{"SLURM_PROCID", "0"}, {"SLURM_NTASKS", "64"}})));
    const Launch step =
        read_launch(variables({{"SLURM_PROCID", "3"}, {"SLURM_STEP_NUM_TASKS", "64"}}));
    EXPECT_TRUE(step.by_launcher);
    EXPECT_EQ(step.size, 64U);
    EXPECT_EQ(step.rank, 3U);
}

TEST(LauncherTest, ReadsTheSizeThatTheLauncherTells) {
    EXPECT_EQ(read_launch(variables({{"PMI_RANK", "1"}, {"PMI_SIZE", "4"}})).size, 4U);
    EXPECT_EQ(read_launch(variables({{"PMI_RANK", "1"}, {"PMI_SIZE", "many"}})).size, 0U);
    EXPECT_EQ(read_launch(variables({{"PMIX_RANK", "1"}})).size, 0U);
    EXPECT_EQ(read_launch(variables({{"PMIX_RANK", "7"}})).rank, 7U);
    EXPECT_EQ(read_launch(variables({{"OMPI_COMM_WORLD_SIZE", "7"}, {"PMI_SIZE", "7"}})).rank, 0U);
}

TEST(TerminalTest, HonoursNoColor) {
    EXPECT_FALSE(detect_terminal(variables({{"NO_COLOR", "1"}})).colors_wanted);
    EXPECT_TRUE(detect_terminal(variables({{"NO_COLOR", ""}})).colors_wanted);
    EXPECT_TRUE(detect_terminal(variables({{"TERM", "xterm"}})).colors_wanted);
}

TEST(TerminalTest, DumbTerminalHasNeitherColorsNorErasing) {
    const Terminal terminal = detect_terminal(variables({{"TERM", "dumb"}}));
    EXPECT_FALSE(terminal.colors_wanted);
    EXPECT_FALSE(terminal.can_erase);
}

TEST(TerminalTest, ALauncherMayGiveATerminalForNobody) {
    const auto is_terminal_with = [](const std::map<std::string, std::string>& values) {
        const int master = ::posix_openpt(O_RDWR | O_NOCTTY);
        if (master < 0 || ::grantpt(master) != 0 || ::unlockpt(master) != 0) std::exit(9);
        ::dup2(::open(::ptsname(master), O_RDWR | O_NOCTTY), STDOUT_FILENO);
        std::exit(detect_terminal(variables(values)).out_is_terminal ? 1 : 0);
    };
    EXPECT_EXIT(is_terminal_with({}), ::testing::ExitedWithCode(1), "");
    EXPECT_EXIT(is_terminal_with({{"OMPI_COMM_WORLD_RANK", "0"}}), ::testing::ExitedWithCode(0),
                "");
}

TEST(TerminalTest, ColumnsGiveTheWidthIfTheyMakeSense) {
    EXPECT_EQ(detect_terminal(variables({{"COLUMNS", "132"}})).width, 132U);
    EXPECT_NE(detect_terminal(variables({{"COLUMNS", "3"}})).width, 3U);
}

}  // namespace
}  // namespace tracefold
