// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "base/file.hpp"
#include "export/export_format.hpp"
#include "mpi/check.hpp"
#include "support/made_trace.hpp"
#include "support/sample_file.hpp"
#include "support/test_directory.hpp"

#include <deque>
#include <map>
#include <sstream>
#include <tuple>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

/// The actions of all ranks of a sample.
struct Actions {
    explicit Actions(const std::string& sample, const ExportOptions& options = {}) : file(sample) {
        const std::string folder = (directory / "out").string();
        report = find_export_format("ti")->write(*file, folder, options);
        for (u32 rank = 0; rank < report.ranks; ++rank) {
            text.push_back(read_whole_file(folder + "/rank-" + std::to_string(rank) + ".ti"));
        }
    }

    /// Words of each line that is no comment.
    [[nodiscard]] std::vector<std::vector<std::string>> of(u32 rank) const {
        std::vector<std::vector<std::string>> actions;
        std::istringstream stream(text[rank]);
        for (std::string line; std::getline(stream, line);) {
            if (line.front() == '#') continue;
            std::istringstream words(line);
            actions.emplace_back();
            for (std::string word; words >> word;) actions.back().push_back(word);
        }
        return actions;
    }

    SampleFile file;
    TestDirectory directory;
    ExportReport report;
    std::vector<std::string> text;
};

using Pair = std::tuple<std::string, std::string, std::string>;  ///< from, to, tag

/// Sizes in the order in which the ends of messages stand in the files.
void read_messages(const Actions& actions, std::map<Pair, std::deque<std::string>>& sent,
                   std::map<Pair, std::deque<std::string>>& received) {
    for (u32 rank = 0; rank < actions.report.ranks; ++rank) {
        for (const auto& action : actions.of(rank)) {
            if (action[1] == "send" || action[1] == "isend") {
                sent[{action[0], action[2], action[3]}].push_back(action[4]);
            } else if (action[1] == "recv" || action[1] == "irecv") {
                received[{action[2], action[0], action[3]}].push_back(action[4]);
            }
        }
    }
}

TEST(SimgridTiTest, BothEndsOfMessagesAgree) {
    for (const char* sample : {"micro-anysrc-4", "micro-stencil2d9p-isend-4", "npb-lu.S-4"}) {
        SCOPED_TRACE(sample);
        ExportOptions options;
        for (u32 word = 0; word < algorithm_words().size(); ++word) {
            options.collectives = static_cast<CollectiveAlgorithm>(word);
            std::map<Pair, std::deque<std::string>> sent;
            std::map<Pair, std::deque<std::string>> received;
            read_messages(Actions(sample, options), sent, received);
            EXPECT_FALSE(sent.empty());
            EXPECT_EQ(sent, received);
        }
    }
}

TEST(SimgridTiTest, HasTheMessagesOfTheTrace) {
    for (const char* sample : {"micro-anysrc-4", "npb-lu.S-4"}) {
        const Actions actions(sample);
        SampleFile file(sample);
        const CheckResult check = check_replay(*file);
        std::map<Pair, std::deque<std::string>> sent;
        std::map<Pair, std::deque<std::string>> received;
        read_messages(actions, sent, received);
        u64 messages = 0;
        u64 bytes = 0;
        for (const auto& [pair, sizes] : sent) {
            messages += sizes.size();
            for (const std::string& size : sizes) bytes += std::stoull(size);
        }
        EXPECT_EQ(messages, check.messages);
        EXPECT_EQ(bytes, check.bytes);
    }
}

TEST(SimgridTiTest, WaitsForEveryRequestOnce) {
    for (const char* sample : {"micro-anysrc-4", "micro-stencil2d9p-isend-4", "npb-lu.S-4"}) {
        const Actions actions(sample);
        for (u32 rank = 0; rank < actions.report.ranks; ++rank) {
            std::map<Pair, i64> outstanding;
            for (const auto& action : actions.of(rank)) {
                const std::string& me = action[0];
                if (action[1] == "isend") ++outstanding[{me, action[2], action[3]}];
                if (action[1] == "irecv") ++outstanding[{action[2], me, action[3]}];
                if (action[1] == "waitall") outstanding.clear();
                if (action[1] != "wait") continue;
                EXPECT_GE(--outstanding[Pair(action[2], action[3], action[4])], 0);
            }
            for (const auto& [request, left] : outstanding) EXPECT_EQ(left, 0);
        }
    }
}

TEST(SimgridTiTest, EndsEveryLine) {
    const Actions actions("micro-anysrc-4");
    for (const std::string& text : actions.text) {
        ASSERT_FALSE(text.empty());
        EXPECT_EQ(text.back(), '\n');
        EXPECT_NE(text.find(" finalize\n"), std::string::npos);
    }
}

TEST(SimgridTiTest, WritesATemplateOfThePlatform) {
    ExportOptions options;
    options.platform_template = true;
    options.flops_per_ns = 2.5;
    const Actions actions("micro-anysrc-4", options);
    const std::string platform = read_whole_file(actions.directory / "out" / "platform.xml");
    EXPECT_NE(platform.find("radical=\"0-3\" speed=\"2.5Gf\""), std::string::npos) << platform;
    EXPECT_EQ(read_whole_file(actions.directory / "out" / "hostfile"),
              "node-0\nnode-1\nnode-2\nnode-3\n");
    // Of any number of ranks; SimGrid's "pair" aborts unless that is a power of two.
    EXPECT_NE(platform.find("<prop id=\"smpi/alltoallv\" value=\"ring\"/>"), std::string::npos);
}

/// What a rank does before MPI_Init is not written, what it spends in calls that reach nobody is no
/// computation.
TEST(SimgridTiTest, TellsComputationFromTimeInMpi) {
    testing::MadeTrace trace({.ranks = 2});
    const auto call = [&trace](u64 begin, u64 end, const std::string& function) {
        for (const u32 rank : {0U, 1U}) trace.timed_call(rank, begin, end, function);
    };
    call(10, 20, "MPI_Initialized");
    call(1000, 1100, "MPI_Init");
    call(2000, 2300, "MPI_Comm_rank");
    call(2500, 2600, "MPI_Finalize");
    const TestDirectory directory;
    const std::string folded = (directory / "made.tfold").string();
    const std::string folder = (directory / "out").string();
    trace.fold(folded);
    TraceFile file(folded);
    find_export_format("ti")->write(file, folder, {});
    const std::string text = read_whole_file(folder + "/rank-1.ti");
    EXPECT_EQ(text.substr(text.find("1 init")),
              "1 init\n1 compute 1100\n1 sleep 0.000000300\n1 finalize\n");
}

TEST(SimgridTiTest, MakesBarriersOfWindowsAndSaysWhatItLeavesOut) {
    const Actions actions("micro-rma-4");
    EXPECT_GT(actions.report.of(ExportOutcome::dropped).at("MPI_Put"), 0U);
    EXPECT_GT(actions.report.of(ExportOutcome::approximated).at("MPI_Win_fence"), 0U);
    EXPECT_GT(actions.report.contents().at("barrier"), 0U);
}

}  // namespace
}  // namespace tracefold
