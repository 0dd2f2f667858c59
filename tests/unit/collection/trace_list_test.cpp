// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "collection/trace_list.hpp"

#include "base/file.hpp"
#include "collection/trace_index.hpp"
#include "support/expect_error.hpp"
#include "support/sample_file.hpp"

#include <filesystem>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

namespace fs = std::filesystem;

class TraceListTest : public ::testing::Test {
  protected:
    TraceListTest() {
        fs::create_directories(folder() / "deeper");
        fs::copy(sample_.path(), folder() / "a.tfold");
        fs::copy(sample_.path(), folder() / "deeper/b.tfold");
    }

    [[nodiscard]] fs::path folder() const { return directory_ / "runs"; }

    [[nodiscard]] TraceList list(bool use_index = true) const {
        TraceListRequest request;
        request.places = {folder().string()};
        request.use_index = use_index;
        return list_traces(request);
    }

    [[nodiscard]] std::vector<std::string> files(const TraceList& list) const {
        std::vector<std::string> names;
        for (const TraceRecord& trace : list.traces) {
            const auto& name = std::get<std::string>(trace[TraceField::file]);
            names.push_back(fs::path(name).lexically_relative(folder()).string());
        }
        return names;
    }

    using Names = std::vector<std::string>;

    TestDirectory directory_;
    SampleFile sample_{"micro-pcoll-4"};
};

TEST_F(TraceListTest, ReadsEveryTraceOnce) {
    const TraceList first = list();
    EXPECT_EQ(files(first), (Names{"a.tfold", "deeper/b.tfold"}));
    EXPECT_EQ(first.read, 2U);
    const TraceList second = list();
    EXPECT_EQ(second.read, 0U);
    EXPECT_EQ(second.traces, first.traces);
    EXPECT_EQ(list(false).read, 2U);
    EXPECT_EQ(first.traces[0][TraceField::ranks], FieldValue(u64{4}));
    EXPECT_EQ(first.traces[0][TraceField::size], FieldValue(u64{fs::file_size(sample_.path())}));
}

TEST_F(TraceListTest, ReadsChangedFilesAgain) {
    EXPECT_EQ(list().read, 2U);
    fs::remove(folder() / "a.tfold");
    fs::copy(sample_.path(), folder() / "c.tfold");
    std::string bytes = read_whole_file(sample_.path());
    bytes.resize(bytes.size() / 2);
    put_file(folder() / "deeper/b.tfold", bytes);
    const TraceList changed = list();
    EXPECT_EQ(files(changed), (Names{"c.tfold", "deeper/b.tfold"}));
    EXPECT_EQ(changed.read, 2U);
    EXPECT_TRUE(is_readable(changed.traces[0]));
    EXPECT_FALSE(is_readable(changed.traces[1]));
    // The damage is known by now, and a removed file alone changes the index, too.
    fs::remove(folder() / "c.tfold");
    EXPECT_EQ(list().read, 0U);
    EXPECT_EQ(load_trace_index(folder()).size(), 1U);
}

TEST_F(TraceListTest, ListsAFileWithSeveralNamesOnce) {
    fs::create_symlink("a.tfold", folder() / "0.tfold");
    fs::create_directory_symlink("deeper", folder() / "link");
    fs::create_symlink("nowhere", folder() / "dangling.tfold");
    const TraceList found = list();
    EXPECT_EQ(files(found), (Names{"a.tfold", "dangling.tfold", "deeper/b.tfold"}));
    EXPECT_FALSE(is_readable(found.traces[1]));
    EXPECT_EQ(list().read, 1U);
}

TEST_F(TraceListTest, ArchivesHaveFieldsOfTheirDefinitions) {
    fs::copy(fs::path(TRACEFOLD_SAMPLES) / "micro-pcoll-4", folder() / "archive",
             fs::copy_options::recursive);
    const TraceList found = list();
    ASSERT_EQ(files(found), (Names{"a.tfold", "archive/traces.otf2", "deeper/b.tfold"}));
    const TraceRecord& folded = found.traces[0];
    const TraceRecord& archive = found.traces[1];
    EXPECT_TRUE(is_readable(archive));
    for (const TraceField field :
         {TraceField::program, TraceField::ranks, TraceField::threads, TraceField::duration,
          TraceField::events, TraceField::machine, TraceField::date}) {
        EXPECT_EQ(archive[field], folded[field]) << static_cast<int>(field);
    }
    EXPECT_FALSE(archive.signature);
    EXPECT_EQ(list().read, 0U);
    put_file(folder() / "archive/traces/0.evt", "x");
    EXPECT_EQ(list().read, 1U);
}

TEST_F(TraceListTest, AFolderOfAnArchiveGetsNoIndex) {
    put_file(folder() / "traces.otf2", "no anchor");
    EXPECT_EQ(list().read, 3U);
    EXPECT_FALSE(fs::exists(folder() / kTraceIndexName));
}

TEST_F(TraceListTest, DeepReadingFillsStepsAndFactors) {
    SampleFile exact("npb-lu.S-4", TimingLevel::exact);
    fs::copy(exact.path(), folder() / "lu.tfold");
    TraceListRequest request;
    request.places = {(folder() / "lu.tfold").string()};
    request.reading.deep = true;
    const TraceList found = list_traces(request);
    const TraceRecord& lu = found.traces.front();
    const auto share = [&lu](TraceField field) { return std::get<double>(lu[field]); };
    EXPECT_GT(std::get<u64>(lu[TraceField::steps]), 1U);
    EXPECT_NEAR(share(TraceField::efficiency) + share(TraceField::imbalance) +
                    share(TraceField::dependences) + share(TraceField::transfer),
                1, 1e-12);
    EXPECT_EQ(list().read, 3U);
}

TEST_F(TraceListTest, SelectsAndSorts) {
    TraceList found = list();
    found.traces[0][TraceField::steps] = u64{7};
    found.traces.push_back(found.traces[0]);
    found.traces.back()[TraceField::steps] = u64{5};
    const auto steps = [&found](const TraceQuery& query) {
        std::vector<TraceRecord> traces = found.traces;
        select_traces(traces, query);
        Names texts;
        for (const TraceRecord& trace : traces) {
            const auto* const number = std::get_if<u64>(&trace[TraceField::steps]);
            texts.push_back(number == nullptr ? "-" : std::to_string(*number));
        }
        return texts;
    };
    EXPECT_EQ(steps({}), (Names{"7", "-", "5"}));
    EXPECT_EQ(steps({.sort = TraceField::steps}), (Names{"5", "7", "-"}));
    EXPECT_EQ(steps({.sort = TraceField::steps, .reverse = true}), (Names{"7", "5", "-"}));
    EXPECT_EQ(steps({.where = TraceCondition("steps>5")}), (Names{"7"}));
    found.traces[2].signature = StructureSignature();
    EXPECT_EQ(steps({.like = StructureSignature()}).front(), "5");
}

TEST_F(TraceListTest, PlacesMustExist) {
    TraceListRequest request;
    request.places = {(directory_ / "missing").string()};
    expect_error(ErrorKind::io, "cannot list", [&] { list_traces(request); });
}

}  // namespace
}  // namespace tracefold
