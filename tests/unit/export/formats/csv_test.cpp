// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/file.hpp"
#include "export/export_format.hpp"
#include "mpi/check.hpp"
#include "support/sample_file.hpp"
#include "support/test_directory.hpp"

#include <map>
#include <sstream>
#include <tuple>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using Row = std::map<std::string, std::string>;

std::vector<std::string> fields_of(const std::string& line) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (const char c : line) {
        if (c == '"') {
            quoted = !quoted;
        } else if (c == ',' && !quoted) {
            fields.emplace_back();
        } else {
            fields.back() += c;
        }
    }
    return fields;
}

std::vector<Row> read_table(const std::filesystem::path& path) {
    std::istringstream stream(read_whole_file(path));
    std::string line;
    std::getline(stream, line);
    const std::vector<std::string> names = fields_of(line);
    std::vector<Row> rows;
    while (std::getline(stream, line)) {
        const std::vector<std::string> fields = fields_of(line);
        EXPECT_EQ(fields.size(), names.size()) << line;
        Row& row = rows.emplace_back();
        for (std::size_t i = 0; i < names.size(); ++i) row[names[i]] = fields[i];
    }
    return rows;
}

/// The tables of a sample.
struct Tables {
    explicit Tables(const std::string& sample, TimingLevel timing = TimingLevel::exact)
        : file(sample, timing) {
        ExportOptions options;
        options.pipit = true;
        report = find_export_format("csv")->write(*file, (directory / "out").string(), options);
    }
    std::vector<Row> operator[](const std::string& name) {
        return read_table(directory / "out" / (name + ".csv"));
    }

    SampleFile file;
    TestDirectory directory;
    ExportReport report;
};

u64 number(const Row& row, const std::string& name) {
    const std::string& text = row.at(name);
    return text.empty() ? 0 : std::stoull(text);
}

TEST(CsvTest, HasTheTotalsOfTheTrace) {
    for (const char* sample : {"npb-lu.S-4", "micro-anysrc-4", "micro-stencil2d9p-isend-4"}) {
        SCOPED_TRACE(sample);
        Tables tables(sample, TimingLevel::none);
        const DryRun run = dry_run(*tables.file);
        const CheckResult check = check_replay(*tables.file);
        std::map<std::string, std::tuple<u64, u64, u64>> functions;
        for (const Row& row : tables["calls"]) {
            auto& [calls, sent, received] = functions[row.at("name")];
            ++calls;
            sent += number(row, "bytes_sent");
            received += number(row, "bytes_received");
            EXPECT_EQ(row.at("begin_ns"), "");
        }
        EXPECT_EQ(functions.size(), run.functions.size());
        for (const DryRun::Function& function : run.functions) {
            EXPECT_EQ(functions[function.name],
                      std::tuple(function.calls, function.sent, function.received))
                << function.name;
        }
        u64 messages = 0;
        u64 bytes = 0;
        for (const Row& row : tables["messages"]) {
            if (row.at("direction") != "send") continue;
            ++messages;
            bytes += number(row, "bytes");
        }
        EXPECT_EQ(messages, check.messages);
        EXPECT_EQ(bytes, check.bytes);
    }
}

TEST(CsvTest, BothEndsOfAMessageHaveTheSameNumber) {
    Tables tables("micro-anysrc-4");
    std::map<std::tuple<std::string, std::string, std::string, std::string, std::string>,
             std::pair<int, int>>
        ends;
    for (const Row& row : tables["messages"]) {
        const bool sends = row.at("direction") == "send";
        auto& [sent, received] =
            ends[{row.at(sends ? "rank" : "peer"), row.at(sends ? "peer" : "rank"), row.at("comm"),
                  row.at("tag"), row.at("number")}];
        ++(sends ? sent : received);
        EXPECT_LE(number(row, "begin_ns"), number(row, "end_ns"));
    }
    EXPECT_FALSE(ends.empty());
    for (const auto& [key, count] : ends) EXPECT_EQ(count, std::pair(1, 1));
}

TEST(CsvTest, HasARowForEveryRegionAndForEveryEvent) {
    Tables tables("micro-user-4");
    u64 enters = 0;
    u64 instants = 0;
    for (const Row& row : tables["events"]) {
        enters += row.at("Event Type") == "Enter" ? 1 : 0;
        instants += row.at("Event Type") == "Instant" ? 1 : 0;
    }
    const std::vector<Row> regions = tables["regions"];
    EXPECT_EQ(regions.size(), enters);
    EXPECT_GT(instants, 0U);
    u64 outermost = 0;
    for (const Row& row : regions) {
        EXPECT_LE(number(row, "begin_ns"), number(row, "end_ns"));
        outermost += row.at("depth") == "0" ? 1 : 0;
    }
    EXPECT_GT(outermost, 0U);
    EXPECT_EQ(tables.report.total(ExportOutcome::dropped), 0U);
}

TEST(CsvTest, CountsTheInstancesOfCollectiveOperations) {
    Tables tables("npb-lu.S-4");
    std::map<std::pair<std::string, std::string>, std::map<std::string, int>> instances;
    for (const Row& row : tables["collectives"]) {
        ++instances[{row.at("comm"), row.at("instance")}][row.at("operation")];
    }
    EXPECT_FALSE(instances.empty());
    for (const auto& [key, operations] : instances) {
        EXPECT_EQ(operations.size(), 1U);
        EXPECT_EQ(operations.begin()->second, 4);
    }
}

}  // namespace
}  // namespace tracefold
