// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/compress.hpp"

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "mpi/comm_world.hpp"
#include "support/otf2_all_records.hpp"
#include "support/otf2_copy.hpp"
#include "support/test_directory.hpp"

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;

/// A folder that all processes share; process 0 makes and removes it.
class CompressMpiTest : public ::testing::Test {
  protected:
    void SetUp() override {
        if (is_root()) scratch_.emplace();
        folder_ = test_world().broadcast(is_root() ? *scratch_ / "" : "", 0);
    }
    void TearDown() override { test_world().barrier(); }

    static bool is_root() { return test_world().rank() == 0; }

    [[nodiscard]] CompressOptions options(const std::string& archive,
                                          const std::string& output) const {
        CompressOptions options;
        options.archive = archive;
        options.output = folder_ + output;
        options.producer = "test";
        options.level = 1;
        options.rescue = rescue_;
        return options;
    }

    /// All processes and threads together write what one thread writes.
    void expect_same_file(const std::string& archive, TimingLevel timing) const {
        for (const u32 threads : {1U, 3U}) expect_same_file(archive, timing, threads);
    }
    void expect_same_file(const std::string& archive, TimingLevel timing, u32 threads) const {
        SCOPED_TRACE(archive);
        CompressOptions together = options(archive, "together.tfold");
        together.timing = timing;
        together.portable = portable_;
        together.threads = threads;
        together.force = true;
        compress(test_world(), together);
        if (is_root()) {
            CompressOptions alone = together;
            alone.threads = 1;
            alone.output = folder_ + "alone.tfold";
            SerialCommunicator serial;
            compress(serial, alone);
            EXPECT_TRUE(file_bytes(together.output) == file_bytes(alone.output));
        }
        test_world().barrier();
    }

    std::optional<TestDirectory> scratch_;
    std::string folder_;
    bool rescue_ = false;
    bool portable_ = false;
};

/// From four locations, fewer than there may be processes, to many with threads.
TEST_F(CompressMpiTest, SameFileForAnyNumberOfProcesses) {
    for (const char* sample : {"micro-anysrc-4", "micro-omphyb-4", "micro-rma-4", "tau-colls-4"}) {
        expect_same_file(std::string(TRACEFOLD_SAMPLES) + "/" + sample, TimingLevel::exact);
    }
    for (const TimingLevel timing :
         {TimingLevel::none, TimingLevel::histogram, TimingLevel::quantized}) {
        expect_same_file(std::string(TRACEFOLD_SAMPLES) + "/micro-user-4", timing);
    }
}

TEST_F(CompressMpiTest, SameFileForEveryKindOfRecord) {
    if (is_root()) write_archive(make_all_records(), folder_ + "all");
    test_world().barrier();
    expect_same_file(folder_ + "all", TimingLevel::exact);
}

/// Their ticks are compressed by whoever has the location.
TEST_F(CompressMpiTest, SamePortableFile) {
    portable_ = true;
    for (const TimingLevel timing : {TimingLevel::exact, TimingLevel::quantized}) {
        expect_same_file(std::string(TRACEFOLD_SAMPLES) + "/micro-omphyb-4", timing);
    }
}

/// Whichever process and thread reads the damaged file, all end with its error.
TEST_F(CompressMpiTest, OneFailsForAll) {
    const std::string archive = folder_ + "damaged";
    if (is_root()) {
        fs::copy(std::string(TRACEFOLD_SAMPLES) + "/micro-anysrc-4", archive,
                 fs::copy_options::recursive);
        const std::string events = archive + "/traces/2.evt";
        fs::resize_file(events, fs::file_size(events) / 2);
    }
    test_world().barrier();
    for (const u32 threads : {1U, 2U, 5U}) {
        CompressOptions refused = options(archive, "out.tfold");
        refused.threads = threads;
        try {
            compress(test_world(), refused);
            ADD_FAILURE() << "no error";
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::corrupt);
            EXPECT_NE(std::string(error.what()).find("location 2 "), std::string::npos)
                << error.what();
        }
    }
    test_world().barrier();
    if (!is_root()) return;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        EXPECT_EQ(entry.path().filename(), "damaged");
    }
}

/// One process mends the archive, all read it.
TEST_F(CompressMpiTest, RescuesForAll) {
    rescue_ = true;
    const std::string archive = folder_ + "damaged";
    if (is_root()) {
        fs::copy(std::string(TRACEFOLD_SAMPLES) + "/micro-anysrc-4", archive,
                 fs::copy_options::recursive);
        fs::resize_file(archive + "/traces/2.evt", 5000);
        fs::remove(archive + "/traces/3.evt");
        fs::remove(archive + "/traces.otf2");
    }
    test_world().barrier();
    expect_same_file(archive, TimingLevel::exact);
    const CompressReport report = compress(test_world(), options(archive, "out.tfold"));
    EXPECT_EQ(report.losses.size(), is_root() ? 3U : 0U);
    if (is_root()) fs::remove(archive + "/traces.def");
    test_world().barrier();
    EXPECT_THROW(compress(test_world(), options(archive, "none.tfold")), Error);
    test_world().barrier();
    if (!is_root()) return;
    for (const auto& entry : fs::directory_iterator(folder_)) {
        EXPECT_FALSE(entry.path().filename().string().starts_with("tracefold-"));
    }
}

/// Progress is told by one thread at a time, and all of it.
TEST_F(CompressMpiTest, ThreadsTellProgressInTurn) {
    CompressOptions together =
        options(std::string(TRACEFOLD_SAMPLES) + "/micro-anysrc-4", "out.tfold");
    together.threads = 4;
    u64 expected = 0;
    u64 seen = 0;
    bool inside = false;
    together.expected_records = [&](u64 records) { expected = records; };
    together.progress = [&](u64 records) {
        EXPECT_FALSE(inside);
        inside = true;
        seen += records;
        inside = false;
    };
    compress(test_world(), together);
    EXPECT_EQ(seen, expected);
}

TEST_F(CompressMpiTest, ExistingOutputStopsAll) {
    const CompressOptions refused =
        options(std::string(TRACEFOLD_SAMPLES) + "/micro-anysrc-4", "out.tfold");
    if (is_root()) std::ofstream(refused.output) << "mine";
    test_world().barrier();
    EXPECT_THROW(compress(test_world(), refused), Error);
    if (is_root()) {
        EXPECT_EQ(file_bytes(refused.output), "mine");
    }
}

}  // namespace
}  // namespace tracefold::testing
