// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/folded_input.hpp"

#include "comm/serial.hpp"
#include "core/error.hpp"
#include "unit/io/test_directory.hpp"
#include "unit/pipeline/sample_file.hpp"

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

const std::string kArchive = std::string(TRACEFOLD_SAMPLES) + "/micro-stencil2d9p-isend-4";

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
