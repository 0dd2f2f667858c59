// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Programs whose number of steps is known, and some that have none that the calls tell.
#include "analysis/findings.hpp"
#include "support/folded_archive.hpp"

#include <algorithm>
#include <cctype>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

struct Known {
    const char* archive;
    u64 steps;  ///< 0: none are told
    u64 in_loop;
};

class KnownStepsTest : public ::testing::TestWithParam<Known> {};

TEST_P(KnownStepsTest, AreTold) {
    const Known& known = GetParam();
    const std::string archive = std::string(TRACEFOLD_ARCHIVES "/") + known.archive;
    if (!std::filesystem::exists(archive)) GTEST_SKIP() << "no " << known.archive;
    FoldedArchive folded(archive, TimingLevel::none);
    ListingSource source(*folded);
    const Findings findings = find_out(*folded, source, nullptr);
    ASSERT_EQ(findings.steps.has_value(), known.steps != 0);
    if (known.steps == 0) return;
    EXPECT_EQ(findings.steps->count, known.steps);
    EXPECT_EQ(findings.steps->in_loop, known.in_loop);
}

std::string name_of(const ::testing::TestParamInfo<Known>& info) {
    std::string name = info.param.archive;
    std::replace_if(
        name.begin(), name.end(), [](char letter) { return std::isalnum(letter) == 0; }, '_');
    return name;
}

/// IS sorts once more than it says, to warm up.
INSTANTIATE_TEST_SUITE_P(
    Programs, KnownStepsTest,
    ::testing::Values(Known{"npb-bt.S-4", 60, 60}, Known{"npb-cg.S-8", 15, 15},
                      Known{"npb-cg.A-32", 15, 15}, Known{"npb-ft.S-8", 6, 6},
                      Known{"npb-is.W-8", 11, 11}, Known{"npb-lu.S-4", 50, 49},
                      Known{"npb-lu.W-16", 300, 299}, Known{"npb-mg.A-8", 4, 4},
                      Known{"npb-mg.A-32", 4, 4}, Known{"npb-sp.W-9", 400, 400},
                      Known{"lulesh-s8-i10-8", 10, 9}, Known{"lulesh-s8-i25-27", 25, 24},
                      Known{"lulesh-omp-s4-i5-8", 5, 4}, Known{"prk-rma-stencil-4", 50, 50},
                      Known{"prk-shm-stencil-4", 50, 49}, Known{"misc_cart_200", 200, 200}),
    name_of);

/// Steps within loops that might be steps as well, steps of other ranks, or none at all.
INSTANTIATE_TEST_SUITE_P(OfNone, KnownStepsTest,
                         ::testing::Values(Known{"npb-ep.S-4", 0, 0},
                                           Known{"npb-btio-full.S-4", 0, 0},
                                           Known{"comd-lj-N20-8", 0, 0}, Known{"micro-nbc-4", 0, 0},
                                           Known{"micro-stencil2d5p-sendrecv-4", 0, 0},
                                           Known{"hpcg-16-4", 0, 0}, Known{"micro-anysrc-4", 0, 0},
                                           Known{"micro-irregular-8", 0, 0}),
                         name_of);

}  // namespace
}  // namespace tracefold
