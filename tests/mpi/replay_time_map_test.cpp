// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/compress.hpp"
#include "base/communicator.hpp"
#include "replay/detail/executor.hpp"
#include "replay/record/time_map.hpp"

#include <filesystem>
#include <optional>

#include <gtest/gtest.h>
#include <unistd.h>

namespace tracefold {
namespace {

constexpr u64 kBegin = 1'000'000'000;
constexpr u64 kStep = 1000;
constexpr u64 kDuration = 300;

/// Call i of every location takes from i * kStep to i * kStep + kDuration.
class TimeMapTest : public ::testing::Test {
  protected:
    TimeMapTest()
        : path_(std::filesystem::temp_directory_path() /
                ("tracefold-time-map-" + std::to_string(::getpid()) + ".tfold")) {
        CompressOptions options;
        options.archive = std::string(TRACEFOLD_SAMPLES) + "/micro-stencil2d9p-isend-4";
        options.output = path_.string();
        options.verify = false;
        options.level = 1;
        SerialCommunicator comm;
        compress(comm, options);
        file_.emplace(options.output);
        measure();
    }
    ~TimeMapTest() override { std::filesystem::remove(path_); }

    void measure() {
        u64 calls = 0;
        MpiCallReader program(*file_, 0);
        for (MpiCall mpi_call; program.next(mpi_call);) {
            if (mpi_call.family == CallFamily::init) start_ = mpi_call.end;
            if (treatment_of(mpi_call) != Treatment::issued) continue;
            times_.add(calls * kStep, calls * kStep + kDuration);
            ++calls;
        }
        times_.set_end(calls * kStep);
    }

    TimeMap map() { return {MpiCallReader(*file_, 0), times_, {kBegin, start_, 2.0}}; }

    std::filesystem::path path_;
    std::optional<TraceFile> file_;
    MeasuredCallTimes times_;
    u64 start_ = 0;
};

TEST_F(TimeMapTest, PutsCallsWhereTheyWereMeasured) {
    TimeMap map = this->map();
    MpiCallReader program(*file_, 0);
    std::size_t call = 0;
    for (MpiCall mpi_call; program.next(mpi_call);) {
        if (mpi_call.family == CallFamily::finalize) {
            EXPECT_EQ(map.at(mpi_call.begin), kBegin + times_.end());
        }
        if (treatment_of(mpi_call) != Treatment::issued) continue;
        ASSERT_EQ(map.at(mpi_call.begin), kBegin + times_.calls()[call].begin);
        ASSERT_EQ(map.at(mpi_call.end), kBegin + times_.calls()[call].end);
        ++call;
    }
    EXPECT_EQ(call, times_.calls().size());
}

TEST_F(TimeMapTest, KeepsThePaceAroundTheProgram) {
    TimeMap map = this->map();
    EXPECT_EQ(map.at(start_ - 10), kBegin - 20);
    EXPECT_EQ(map.at(start_), kBegin);
    const u64 far = start_ + (u64{1} << 40U);
    const u64 late = map.at(far);
    EXPECT_GT(late, kBegin + times_.end());
    EXPECT_EQ(map.at(far + 7), late + 14);
}

TEST_F(TimeMapTest, NeverGoesBack) {
    TimeMap map = this->map();
    u64 last = 0;
    u64 records = 0;
    drain(*file_->events(0), [&](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            const u64 time = map.at(head.time);
            ASSERT_GE(time, last);
            last = time;
            ++records;
        }
    });
    EXPECT_GT(records, times_.calls().size());
}

/// Before the new clock begins there is no time.
TEST_F(TimeMapTest, StopsAtZero) {
    TimeMap map(MpiCallReader(*file_, 0), times_, {5, start_, 2.0});
    EXPECT_EQ(map.at(start_ - 1'000'000), 0U);
    EXPECT_EQ(map.at(start_ - 1), 3U);
}

}  // namespace
}  // namespace tracefold
