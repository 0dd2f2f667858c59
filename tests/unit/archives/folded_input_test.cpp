// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/folded_input.hpp"

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "support/sample_file.hpp"
#include "support/test_directory.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

const std::string kArchive = std::string(TRACEFOLD_SAMPLES) + "/micro-stencil2d9p-isend-4";

/// Gives the first metric event of micro-user-4, rank 0, a type that is none.
void make_metric_unknown(const fs::path& file) {
    constexpr std::string_view kMetric("\x1F\x0C\x00\x01\x08", 5);
    std::ifstream in(file, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    bytes.at(bytes.find(kMetric)) = '\xFA';
    std::ofstream(file, std::ios::binary) << bytes;
}

class FoldedInputTest : public ::testing::Test {
  protected:
    FoldedInput open(const std::string& path, TimingLevel timing = TimingLevel::exact) {
        return {comm_, path, {scratch_.path().string(), timing}};
    }

    SerialCommunicator comm_;
    TestDirectory scratch_;
};

TEST_F(FoldedInputTest, FoldsAnArchiveAndLeavesNothingBehind) {
    for (const std::string& path : {kArchive, kArchive + "/traces.otf2"}) {
        FoldedInput input = open(path);
        EXPECT_TRUE(input.was_folded());
        EXPECT_TRUE(scratch_.entries() == 0);
        RecordBatch batch;
        EXPECT_TRUE(input.file().events(0)->next(batch));
        EXPECT_EQ(input.file().summary().timing, TimingLevel::exact);
    }
}

TEST_F(FoldedInputTest, GoesByTheNameOfTheArchive) {
    EXPECT_EQ(open(kArchive).file().container().path(), kArchive);
}

TEST_F(FoldedInputTest, LeavesOutUnknownRecordsOnRequest) {
    const fs::path copy = scratch_ / "archive";
    fs::copy(std::string(TRACEFOLD_SAMPLES) + "/micro-user-4", copy, fs::copy_options::recursive);
    make_metric_unknown(copy / "traces" / "0.evt");
    const std::string folder = scratch_.path().string();
    const auto dropped = [&](bool drop_unknown) {
        FoldedInputOptions options{folder};
        options.drop_unknown = drop_unknown;
        return FoldedInput(comm_, copy.string(), options).file().summary().dropped_unknown_records;
    };
    EXPECT_THROW(dropped(false), Error);
    EXPECT_EQ(dropped(true), 1U);
}

TEST_F(FoldedInputTest, LeavesNothingBehindWhenItIsStopped) {
    FoldedInputOptions options{scratch_.path().string()};
    options.progress = [&](u64) {
        EXPECT_EQ(scratch_.entries(), 1);
        throw Error(ErrorKind::io, "stopped");
    };
    EXPECT_THROW(FoldedInput(comm_, kArchive, options), Error);
    EXPECT_EQ(scratch_.entries(), 0);
}

TEST_F(FoldedInputTest, KeepsTheTimesThatAreAskedFor) {
    EXPECT_EQ(open(kArchive, TimingLevel::none).file().summary().timing, TimingLevel::none);
}

TEST_F(FoldedInputTest, OpensAFoldedFileAsItIs) {
    CompressOptions options;
    options.archive = kArchive;
    options.output = (scratch_ / "kept.tfold").string();
    compress(comm_, options);
    EXPECT_FALSE(open(options.output).was_folded());
    EXPECT_TRUE(fs::exists(options.output));
}

TEST_F(FoldedInputTest, SaysWhatIsWrong) {
    const auto kind_of = [](const auto& work) {
        try {
            work();
        } catch (const Error& error) {
            return error.kind();
        }
        return ErrorKind::internal;
    };
    EXPECT_EQ(kind_of([&] { open((scratch_ / "none.tfold").string()); }), ErrorKind::io);
    EXPECT_EQ(kind_of([&] { open((scratch_ / "none.otf2").string()); }), ErrorKind::io);
    EXPECT_EQ(kind_of([&] { FoldedInput input(comm_, kArchive, {"/nowhere"}); }), ErrorKind::io);
    EXPECT_TRUE(scratch_.entries() == 0);
}

}  // namespace
}  // namespace tracefold::testing
