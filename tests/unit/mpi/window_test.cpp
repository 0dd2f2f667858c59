// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/window.hpp"

#include "base/error.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/program_steps.hpp"
#include "support/sample_file.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Unit = WindowBound::Unit;

WindowRequest from_to(Unit unit, u64 from, u64 to) {
    return {WindowBound{unit, from}, WindowBound{unit, to}};
}

LocationWindow window_of(TraceFile& file, u32 location, const WindowRequest& request) {
    const std::optional<ProgramSteps> steps = find_program_steps(file);
    return find_window(file, location, request, steps ? steps->of(location) : nullptr);
}

u64 count_calls(TraceFile& file, u32 location) {
    u64 calls = 0;
    MpiCallReader program(file, location, Times::skip);
    for (MpiCall mpi_call; program.next(mpi_call);) ++calls;
    return calls;
}

TEST(WindowTest, CallsAreTakenAsGiven) {
    SampleFile file("micro-stencil2d9p-isend-4");
    const LocationWindow window = window_of(*file, 1, from_to(Unit::call, 3, 7));
    EXPECT_EQ(window.from, 3U);
    EXPECT_EQ(window.to, 7U);
    EXPECT_FALSE(window.has(2));
    EXPECT_TRUE(window.has(3));
    EXPECT_FALSE(window.has(7));
    EXPECT_TRUE(window_of(*file, 1, {}).has(u64{1} << 60U));
}

TEST(WindowTest, StepsFollowEachOther) {
    SampleFile file("micro-stencil2d9p-isend-4");
    u64 end = window_of(*file, 0, from_to(Unit::iteration, 0, 1)).to;
    const u64 first = window_of(*file, 0, from_to(Unit::iteration, 0, 1)).from;
    EXPECT_GT(first, 0U) << "MPI_Init comes before";
    const u64 calls_each = end - first;
    for (u64 i = 1; i < 5; ++i) {
        const LocationWindow window = window_of(*file, 0, from_to(Unit::iteration, i, i + 1));
        EXPECT_EQ(window.from, end);
        EXPECT_EQ(window.to - window.from, calls_each);
        end = window.to;
    }
    const LocationWindow beyond = window_of(*file, 0, from_to(Unit::iteration, 9999, 10000));
    EXPECT_EQ(beyond.from, beyond.to);
    EXPECT_GE(beyond.from, end);
    EXPECT_LE(beyond.from, count_calls(*file, 0));
}

TEST(WindowTest, TimesCutWhereCallsBegin) {
    SampleFile file("micro-stencil2d9p-isend-4", TimingLevel::exact);
    std::vector<u64> begins;
    MpiCallReader program(*file, 2);
    for (MpiCall mpi_call; program.next(mpi_call);) begins.push_back(mpi_call.begin);
    const double tick = file->definitions().tick_rate().nanoseconds_per_tick();
    const u64 offset = file->definitions().clock_offset();
    const auto nanoseconds = [&](u64 ticks) {
        return static_cast<u64>(static_cast<double>(ticks - offset) * tick);
    };
    const u64 middle = (begins[19] + begins[20]) / 2;
    const LocationWindow window = window_of(
        *file, 2, from_to(Unit::time, nanoseconds(middle), nanoseconds(begins.back()) + 1'000'000));
    EXPECT_EQ(window.from, 20U);
    EXPECT_EQ(window.to, LocationWindow::kEnd);
    EXPECT_GT(window.start_ticks, begins[19]);
    EXPECT_LT(window.start_ticks, begins[20]);
}

TEST(WindowTest, TimesAndStepsHaveToBeThere) {
    SampleFile timeless("micro-stencil2d9p-isend-4");
    EXPECT_THROW(window_of(*timeless, 0, from_to(Unit::time, 0, 1)), Error);
    SampleFile without("micro-rma-4");
    EXPECT_THROW(window_of(*without, 0, from_to(Unit::iteration, 0, 1)), Error);
}

}  // namespace
}  // namespace tracefold
