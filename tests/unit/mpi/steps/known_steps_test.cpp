// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Programs whose number of steps is known, and some that have none that the calls tell.
#include "mpi/program_steps.hpp"
#include "support/folded_archive.hpp"
#include "support/step_messages.hpp"

#include <algorithm>
#include <cctype>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

struct Known {
    const char* archive;
    u64 steps;  ///< 0: none are told
};

class KnownStepsTest : public ::testing::TestWithParam<Known> {};

TEST_P(KnownStepsTest, AreTold) {
    const Known& known = GetParam();
    const std::string archive = std::string(TRACEFOLD_ARCHIVES "/") + known.archive;
    if (!std::filesystem::exists(archive)) GTEST_SKIP() << "no " << known.archive;
    FoldedArchive folded(archive, TimingLevel::none);
    const std::optional<ProgramSteps> steps = find_program_steps(*folded);
    ASSERT_EQ(steps ? steps->count : 0, known.steps);
    if (!steps) return;
    const StepMessages messages = read_step_messages(*folded, *steps);
    EXPECT_EQ(messages.sent, messages.received);
}

std::string name_of(const ::testing::TestParamInfo<Known>& info) {
    std::string name = info.param.archive;
    std::replace_if(
        name.begin(), name.end(), [](char letter) { return std::isalnum(letter) == 0; }, '_');
    return name;
}

/// By what the command line says; IS and the stencil with windows run one step more, to warm up.
INSTANTIATE_TEST_SUITE_P(
    Programs, KnownStepsTest,
    ::testing::Values(
        Known{"npb-bt.S-4", 60}, Known{"npb-btio-full.S-4", 60}, Known{"npb-cg.S-8", 15},
        Known{"npb-cg.A-32", 15}, Known{"npb_cg_W_16", 15}, Known{"npb-ft.S-8", 6},
        Known{"npb-is.W-8", 11}, Known{"npb-lu.S-4", 50}, Known{"npb-lu.W-16", 300},
        Known{"npb-mg.A-8", 4}, Known{"npb-mg.A-32", 4}, Known{"npb-sp.W-9", 400},
        Known{"lulesh-s8-i10-8", 10}, Known{"lulesh-s8-i25-27", 25}, Known{"lulesh_8_80", 80},
        Known{"lulesh-omp-s4-i5-8", 5}, Known{"lulesh-inst-s4-i10-8", 10},
        Known{"tau-lulesh-s4-i40-8", 40}, Known{"feat-sampling-perf-lulesh-8", 100},
        Known{"kripke-sweep-i5-8", 5}, Known{"cloverleaf-64-s10-16", 10},
        Known{"tealeaf-cg-64-s2-4", 2}, Known{"minighost-bspma-3d7-t10-8", 10},
        Known{"minighost-bspma-3d7-t40-8", 40}, Known{"comd-lj-N20-8", 20},
        Known{"comd-lj-N20-16", 20}, Known{"prk-rma-stencil-4", 51}, Known{"prk-shm-stencil-4", 50},
        Known{"prk-omp-stencil-4", 50}, Known{"prk-p2p-N10-16", 10}, Known{"prk-sparse-4", 50},
        Known{"misc_cart_200", 200}, Known{"misc_phases_60", 60}, Known{"misc_wave_20", 20},
        Known{"micro-stencil2d5p-sendrecv-4", 100}, Known{"st2d_16_any_100", 100},
        Known{"st2d_16_testsome_100", 100}, Known{"st3d_27_100", 100}, Known{"prk-amr-16", 40},
        Known{"feat-systreeseq-colls-4", 3}, Known{"micro-persist-4", 40},
        Known{"snap-2x2-s5-t1-4", 5}, Known{"hpcg-16-4", 10}),
    name_of);

INSTANTIATE_TEST_SUITE_P(OfNone, KnownStepsTest,
                         ::testing::Values(Known{"npb-ep.S-4", 0}, Known{"graph500-s8-8", 0},
                                           Known{"misc_master_200", 0},
                                           Known{"micro-pingpong-2", 0},
                                           Known{"micro-irregular-8", 0},
                                           Known{"micro-bigbytes-4", 0}, Known{"micro-comms-4", 0}),
                         name_of);

}  // namespace
}  // namespace tracefold
