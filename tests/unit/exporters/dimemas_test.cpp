// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/check.hpp"
#include "unit/exporters/exported_text.hpp"

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
    EXPECT_EQ(lines[0].rfind("#DIMEMAS:\"trace\":0:4(1,1,1,1),", 0), 0U) << lines[0];
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

}  // namespace
}  // namespace tracefold
