// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/estimate.hpp"

#include "support/sample_file.hpp"
#include "support/test_directory.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

SizeEstimate estimate(const std::string& name, u32 sample) {
    static const TestDirectory scratch;
    EstimateOptions options;
    options.archive = std::string(TRACEFOLD_SAMPLES) + "/" + name;
    options.level = 1;
    options.sample = sample;
    options.spill_directory = scratch.path().string();
    return estimate_sizes(options);
}

class EstimateTest : public ::testing::TestWithParam<const char*> {};

TEST_P(EstimateTest, OfAllLocationsIsTheSizeOfTheFile) {
    const SizeEstimate result = estimate(GetParam(), 1000);
    EXPECT_EQ(result.sampled_locations, result.locations);
    ASSERT_EQ(result.sizes.size(), 4U);
    for (const SizeEstimate::Size& size : result.sizes) {
        SampleFile file(GetParam(), size.timing);
        const double actual = static_cast<double>(file->container().file_size());
        EXPECT_NEAR(static_cast<double>(size.bytes), actual, 0.02 * actual + 64)
            << timing_name(size.timing);
    }
}

TEST_P(EstimateTest, OfSomeLocationsIsNearTheSizeOfTheFile) {
    const SizeEstimate all = estimate(GetParam(), 1000);
    const SizeEstimate some = estimate(GetParam(), 2);
    EXPECT_EQ(some.sampled_locations, 2U);
    EXPECT_LT(some.sampled_events, all.sampled_events);
    for (std::size_t i = 0; i < all.sizes.size(); ++i) {
        EXPECT_LT(some.sizes[i].bytes, 3 * all.sizes[i].bytes);
        EXPECT_GT(3 * some.sizes[i].bytes, all.sizes[i].bytes);
    }
}

INSTANTIATE_TEST_SUITE_P(Samples, EstimateTest,
                         ::testing::Values("micro-pcoll-4", "micro-stencil2d9p-isend-4",
                                           "micro-omphyb-4"));

}  // namespace
}  // namespace tracefold
