// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/compress.hpp"
#include "archives/restore.hpp"
#include "base/communicator.hpp"
#include "file/trace_file.hpp"
#include "support/expect_error.hpp"
#include "support/made_trace.hpp"
#include "support/matched_probes.hpp"
#include "support/otf2_copy.hpp"
#include "support/test_directory.hpp"

#include <filesystem>
#include <map>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

namespace fs = std::filesystem;
using testing::MadeTrace;

class NewerRecordsTest : public ::testing::Test {
  protected:
    [[nodiscard]] std::string path(const char* name) const { return (directory_ / name).string(); }

    /// Folds an archive, with verification.
    void fold(TimingLevel timing) {
        CompressOptions options;
        options.archive = path("archive");
        options.output = path("archive.tfold");
        options.timing = timing;
        options.level = 1;
        options.force = true;
        SerialCommunicator comm;
        compress(comm, options);
    }

    void round_trip() {
        fold(TimingLevel::exact);
        restore();
    }

    void restore() {
        TraceFile file(path("archive.tfold"));
        restore_archive(file, path("restored"), false, {});
    }

    /// Bytes by path below the folder.
    [[nodiscard]] std::map<std::string, std::string> files_of(const char* folder) const {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::recursive_directory_iterator(path(folder))) {
            if (!entry.is_regular_file()) continue;
            files[fs::relative(entry.path(), path(folder)).string()] =
                testing::file_bytes(entry.path().string());
        }
        return files;
    }

  private:
    TestDirectory directory_;
};

TEST_F(NewerRecordsTest, ArchivesWithMatchedProbesComeBackByteForByte) {
    MadeTrace trace({});
    make_matched_probes(trace);
    trace.write(path("archive"));
    round_trip();
    EXPECT_EQ(files_of("restored"), files_of("archive"));
}

TEST_F(NewerRecordsTest, ArchivesWithRanksThatAreGroupsComeBackByteForByte) {
    MadeTrace trace({.threads = 2, .of_groups = true});
    trace.call_of(0, 1, "MPI_Send", {{EventType::MpiSend, {1, 0, 5, 8}}});
    trace.call_of(1, 0, "MPI_Recv", {{EventType::MpiRecv, {0, 0, 5, 8}}});
    trace.write(path("archive"));
    round_trip();
    EXPECT_EQ(files_of("restored"), files_of("archive"));
}

/// Verification does not need libotf2, whatever is kept of the times.
TEST_F(NewerRecordsTest, MatchedProbesAreVerifiedAtAllTimingLevels) {
    MadeTrace trace({});
    make_matched_probes(trace);
    trace.write(path("archive"));
    for (const TimingLevel timing :
         {TimingLevel::none, TimingLevel::histogram, TimingLevel::quantized}) {
        EXPECT_NO_THROW(fold(timing)) << timing_name(timing);
    }
}

}  // namespace
}  // namespace tracefold
