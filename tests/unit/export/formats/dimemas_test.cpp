// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/trace_file.hpp"
#include "mpi/check.hpp"
#include "support/made_trace.hpp"
#include "unit/export/formats/exported_text.hpp"

#include <map>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::vector<std::string> fields_of_line(const std::string& line) {
    std::vector<std::string> fields;
    std::istringstream stream(line);
    for (std::string field; std::getline(stream, field, ':');) fields.push_back(field);
    return fields;
}

TEST(DimemasTest, SendsWhatIsReceived) {
    const ExportedText exported("npb-lu.S-4", "dim", TimingLevel::exact);
    SampleFile file("npb-lu.S-4");
    const CheckResult check = check_replay(*file);
    std::map<std::tuple<std::string, std::string, std::string>, std::pair<u64, u64>> bytes;
    std::map<std::tuple<std::string, std::string, std::string>, i64> posted;
    u64 sent = 0;
    for (const std::string& line : exported.lines()) {
        const std::vector<std::string> f = fields_of_line(line);
        if (f[0] == "2") {
            bytes[{f[1], f[3], f[6]}].first += std::stoull(f[5]);
            sent += std::stoull(f[5]);
        } else if (f[0] == "3") {
            if (f[8] != "2") bytes[{f[3], f[1], f[6]}].second += std::stoull(f[5]);
            posted[{f[3], f[1], f[6]}] += f[8] == "1" ? 1 : f[8] == "2" ? -1 : 0;
        }
    }
    EXPECT_EQ(sent, check.bytes);
    EXPECT_EQ(exported.report.contents().at("sends"), check.messages);
    for (const auto& [key, both] : bytes) EXPECT_EQ(both.first, both.second);
    for (const auto& [key, left] : posted) EXPECT_EQ(left, 0);
}

TEST(DimemasTest, NamesTasksAndCommunicators) {
    const ExportedText exported("npb-lu.S-4", "dim");
    const std::vector<std::string> lines = exported.lines();
    EXPECT_EQ(lines[0].rfind("#DIMEMAS:\"trace\":1,", 0), 0U) << lines[0];
    EXPECT_NE(lines[0].find(":4(1,1,1,1),"), std::string::npos) << lines[0];
    EXPECT_EQ(lines[1], "d:1:1:4:0:1:2:3");
    std::map<std::string, u64> collectives;
    for (const std::string& line : lines) {
        const std::vector<std::string> f = fields_of_line(line);
        if (f[0] == "10") ++collectives[f[1]];
        EXPECT_NE(f[0], "1") << "a trace without times has no bursts";
    }
    ASSERT_EQ(collectives.size(), 4U);
    for (const auto& [task, count] : collectives) EXPECT_EQ(count, collectives.at("0"));
}

/// Dimemas does not read a file without them.
TEST(DimemasTest, TellsWhereTheRecordsOfATaskBegin) {
    const ExportedText exported("npb-lu.S-4", "dim");
    const std::string head = exported.text.substr(0, exported.text.find(':', 20));
    const u64 offsets = std::stoull(head.substr(head.find(',') + 1));
    std::istringstream lines(exported.text.substr(offsets));
    u64 tasks = 0;
    for (std::string line; std::getline(lines, line); ++tasks) {
        const std::vector<std::string> f = fields_of_line(line);
        ASSERT_EQ(f.size(), 3U) << line;
        EXPECT_EQ(f[0], "s");
        EXPECT_EQ(f[1], std::to_string(tasks));
        const u64 begin = std::stoull(f[2]);
        EXPECT_EQ(exported.text[begin - 1], '\n');
        EXPECT_EQ(fields_of_line(exported.text.substr(begin, 20))[1], f[1]);
        EXPECT_NE(fields_of_line(exported.text.substr(exported.text.rfind('\n', begin - 2) + 1))[1],
                  f[1])
            << "an earlier record of the task";
    }
    EXPECT_EQ(tasks, 4U);
}

/// The records of collective operations of a program of three ranks.
class DimemasCollectives : public ::testing::Test {
  protected:
    using Events = std::initializer_list<testing::MadeTrace::Event>;

    DimemasCollectives() { everybody("MPI_Init", {}); }

    void everybody(const std::string& function, Events events) {
        for (u32 rank = 0; rank < 3; ++rank) trace_.call(rank, function, events);
    }

    /// Without task and communicator.
    std::vector<std::string> records_of(const std::string& task,
                                        const ExportOptions& options = {}) {
        everybody("MPI_Finalize", {});
        const TestDirectory directory;
        const std::string folded = (directory / "made.tfold").string();
        const std::string path = (directory / "made.dim").string();
        trace_.fold(folded, TimingLevel::none);
        TraceFile file(folded);
        find_export_format("dim")->write(file, path, options);
        std::vector<std::string> records;
        std::istringstream lines(read_whole_file(path));
        for (std::string line; std::getline(lines, line);) {
            const std::vector<std::string> f = fields_of_line(line);
            if (f[0] != "10" || f[1] != task) continue;
            records.push_back(f[3] + " root " + f[5] + " bytes " + f[7] + "," + f[8] + " type " +
                              f[9]);
        }
        return records;
    }

    static constexpr u64 kWorld = 0;
    static constexpr u64 kNoRoot = 0xFFFFFFFF;
    static constexpr u64 kBarrier = 0;
    static constexpr u64 kBcast = 1;
    static constexpr u64 kReduce = 12;
    testing::MadeTrace trace_{{.ranks = 3}};
};

TEST_F(DimemasCollectives, NameTheRootAsDimemasReadsIt) {
    everybody("MPI_Reduce", {{EventType::MpiCollectiveBegin, {}},
                             {EventType::MpiCollectiveEnd, {kReduce, kWorld, 2, 8, 8}}});
    everybody("MPI_Bcast", {{EventType::MpiCollectiveBegin, {}},
                            {EventType::MpiCollectiveEnd, {kBcast, kWorld, 2, 8, 8}}});
    const std::vector<std::string> expected{"10 root 2 bytes 8,8 type 3",
                                            "1 root 0 bytes 8,8 type 1"};
    EXPECT_EQ(records_of("1"), expected);
}

TEST_F(DimemasCollectives, ThatDoNotBlockHaveTheNumbersOfThoseThatDo) {
    everybody("MPI_Ibarrier", {{EventType::NonBlockingCollectiveRequest, {1}}});
    everybody("MPI_Wait",
              {{EventType::NonBlockingCollectiveComplete, {kBarrier, kWorld, kNoRoot, 0, 0, 1}}});
    const std::vector<std::string> expected{"0 root 0 bytes 0,0 type 0",
                                            "0 root 0 bytes 0,0 type 2"};
    EXPECT_EQ(records_of("0"), expected);
}

TEST_F(DimemasCollectives, OfMoreBytesThanDimemasCountsAreMessages) {
    constexpr u64 kMany = u64{1} << 31U;
    everybody("MPI_Bcast", {{EventType::MpiCollectiveBegin, {}},
                            {EventType::MpiCollectiveEnd, {kBcast, kWorld, 0, kMany, kMany}}});
    EXPECT_TRUE(records_of("0").empty());
}

TEST_F(DimemasCollectives, AreMessagesWhereAnAlgorithmIsChosen) {
    everybody("MPI_Barrier", {{EventType::MpiCollectiveBegin, {}},
                              {EventType::MpiCollectiveEnd, {kBarrier, kWorld, kNoRoot, 0, 0}}});
    ExportOptions options;
    options.collectives = CollectiveAlgorithm::linear;
    EXPECT_TRUE(records_of("0", options).empty());
}

}  // namespace
}  // namespace tracefold
