// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "unit/exporters/exported_text.hpp"

#include <map>
#include <regex>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::string member(const std::string& line, const std::string& name) {
    std::smatch match;
    const std::regex pattern("\"" + name + "\":(\"[^\"]*\"|[0-9.]+)");
    return std::regex_search(line, match, pattern) ? match[1].str() : "";
}

u64 nanoseconds(const std::string& microseconds) {
    std::string digits = microseconds;
    std::erase(digits, '.');
    return digits.empty() ? 0 : std::stoull(digits);
}

TEST(ChromeTest, BalancesSlicesInTimeOrder) {
    const ExportedText exported("micro-user-4", "chrome", TimingLevel::exact);
    std::map<std::string, int> depth;
    std::map<std::string, u64> last;
    u64 slices = 0;
    for (const std::string& line : exported.lines()) {
        const std::string phase = member(line, "ph");
        if (phase != "\"B\"" && phase != "\"E\"" && phase != "\"X\"") continue;
        const std::string track = member(line, "pid") + "." + member(line, "tid");
        const u64 time = nanoseconds(member(line, "ts"));
        EXPECT_LE(last[track], time);
        last[track] = time + nanoseconds(member(line, "dur"));
        depth[track] += phase == "\"B\"" ? 1 : phase == "\"E\"" ? -1 : 0;
        EXPECT_GE(depth[track], 0);
        slices += phase != "\"E\"" ? 1 : 0;
    }
    EXPECT_GT(slices, 500U);
    for (const auto& [track, open] : depth) EXPECT_EQ(open, 0) << track;
}

TEST(ChromeTest, EveryArrowHasTwoEnds) {
    const ExportedText exported("micro-anysrc-4", "chrome", TimingLevel::exact);
    std::map<std::string, std::pair<int, int>> ends;
    std::map<std::string, std::string> sizes;
    for (const std::string& line : exported.lines()) {
        const std::string phase = member(line, "ph");
        if (phase != "\"s\"" && phase != "\"f\"") continue;
        auto& [begins, finishes] = ends[member(line, "id")];
        ++(phase == "\"s\"" ? begins : finishes);
        const auto [known, fresh] = sizes.emplace(member(line, "id"), member(line, "bytes"));
        EXPECT_EQ(known->second, member(line, "bytes"));
    }
    EXPECT_EQ(ends.size() * 2, exported.report.contents().at("ends of arrows"));
    for (const auto& [id, count] : ends) EXPECT_EQ(count, std::pair(1, 1)) << id;
}

TEST(ChromeTest, CountsMetrics) {
    const ExportedText exported("micro-user-4", "chrome", TimingLevel::exact);
    u64 counters = 0;
    for (const std::string& line : exported.lines()) {
        counters += member(line, "ph") == "\"C\"" ? 1 : 0;
    }
    EXPECT_GT(counters, 0U);
    EXPECT_FALSE(exported.report.of(Fate::dropped).contains("Metric records"));
}

}  // namespace
}  // namespace tracefold
