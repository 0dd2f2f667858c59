// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/formats/chrome.hpp"

#include "support/definition_writer.hpp"
#include "unit/export/formats/exported_text.hpp"

#include <map>
#include <regex>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

std::string member(const std::string& line, const std::string& name) {
    std::smatch match;
    const std::regex pattern("\"" + name + "\":(\"[^\"]*\"|[0-9.]+)");
    return std::regex_search(line, match, pattern) ? match[1].str() : "";
}

/// With three decimals or six.
u64 picoseconds(const std::string& microseconds) {
    std::string digits = microseconds;
    const std::size_t point = digits.find('.');
    if (point == std::string::npos) return 0;
    digits.erase(point, 1);
    digits.append(point + 6 - digits.size(), '0');
    return std::stoull(digits);
}

/// Checks that viewers which sort the slices of each track by time see them close as they opened.
/// Returns how many there are.
u64 check_slices(const ExportedText& exported) {
    std::map<std::string, std::vector<std::string>> open;
    std::map<std::string, u64> next;
    u64 slices = 0;
    for (const std::string& line : exported.lines()) {
        const std::string phase = member(line, "ph");
        if (phase != "\"B\"" && phase != "\"E\"" && phase != "\"X\"") continue;
        const std::string track = member(line, "pid") + "." + member(line, "tid");
        const u64 time = picoseconds(member(line, "ts"));
        EXPECT_GE(time, next[track]) << line;
        next[track] = time + picoseconds(member(line, "dur")) + 1;
        if (phase == "\"B\"") open[track].push_back(member(line, "name"));
        slices += phase != "\"E\"" ? 1 : 0;
        if (phase != "\"E\"") continue;
        EXPECT_FALSE(open[track].empty()) << line;
        if (open[track].empty()) continue;
        EXPECT_EQ(member(line, "name"), open[track].back());
        open[track].pop_back();
    }
    for (const auto& [track, regions] : open) EXPECT_TRUE(regions.empty()) << track;
    return slices;
}

TEST(ChromeTest, BalancesSlicesInTimeOrder) {
    EXPECT_GT(check_slices({"micro-user-4", "chrome", TimingLevel::exact}), 500U);
}

/// TAU's clock counts microseconds, in which a call begins and ends and the next one begins.
TEST(ChromeTest, TimeWithoutMeasurementIsASlice) {
    const ExportedText exported("micro-user-4", "chrome", TimingLevel::exact);
    u64 slices = 0;
    for (const std::string& line : exported.lines()) {
        if (member(line, "name") != "\"MEASUREMENT OFF\"") continue;
        ++slices;
        EXPECT_EQ(member(line, "ph"), "\"X\"");
        EXPECT_GT(picoseconds(member(line, "dur")), 0U);
    }
    // Once on each of four ranks.
    EXPECT_EQ(slices, 4U);
}

TEST(ChromeTest, KeepsTheOrderOfWhatHappensAtOneTime) {
    EXPECT_GT(check_slices({"tau-colls-4", "chrome", TimingLevel::exact}), 100U);
    ChromeMoments moments;
    EXPECT_EQ(moments.next(0), 0U);
    EXPECT_EQ(moments.next(5), 5000U);
    EXPECT_EQ(moments.next(5), 5001U);
    EXPECT_EQ(moments.next(4), 5002U);
    EXPECT_EQ(moments.next(6), 6000U);
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
    EXPECT_FALSE(exported.report.of(ExportOutcome::dropped).contains("Metric records"));
}

struct MadeLocation {
    std::string name;
    u64 type;
    u64 group;
};

/// Group 0 is the process, group 1 an accelerator that it created, group 2 another process.
DefinitionIndex definitions_of(const std::vector<MadeLocation>& locations) {
    DefinitionWriter out;
    const u64 none = out.string("");
    const u64 process = out.string("Process");
    out.add(DefinitionType::LocationGroup, {0, process, 1, 0, kNone});
    out.add(DefinitionType::LocationGroup, {1, out.string("Context"), 2, 0, 0});
    out.add(DefinitionType::LocationGroup, {2, out.string("Other"), 1, 0, kNone});
    for (u64 id = 0; id < locations.size(); ++id) {
        const u64 name = out.string(locations[id].name);
        out.add(DefinitionType::Location,
                {id, name, locations[id].type, none, locations[id].group});
    }
    DefinitionIndex index;
    index.add(out.batch());
    index.finish();
    return index;
}

TEST(ChromeTest, WithoutRanksTracksBelongToTheirProcesses) {
    const DefinitionIndex definitions = definitions_of({{"Master thread", 1, 0},
                                                        {"OMP thread 1", 1, 0},
                                                        {"Stream", 2, 1},
                                                        {"Elsewhere", 1, 2},
                                                        {"Per process metrics", 3, 0}});
    const ChromeTracks tracks(definitions);
    EXPECT_EQ(tracks.place(0), "\"pid\":0,\"tid\":0");
    EXPECT_EQ(tracks.place(1), "\"pid\":0,\"tid\":1");
    EXPECT_EQ(tracks.place(2), "\"pid\":0,\"tid\":2");
    EXPECT_EQ(tracks.place(3), "\"pid\":1,\"tid\":0");
    EXPECT_EQ(tracks.place(4), "\"pid\":0,\"tid\":3");
    EXPECT_EQ(tracks.counter_id(0), "");
    EXPECT_EQ(tracks.counter_id(4), ",\"id\":3");
}

}  // namespace
}  // namespace tracefold
