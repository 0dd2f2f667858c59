// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "model/event_table.hpp"
#include "otf2/archive_files.hpp"
#include "otf2/mended_archive.hpp"
#include "support/otf2_scan.hpp"
#include "unit/archives/archive_round_trip.hpp"

#include <algorithm>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;
using otf2::RawFileKind;

/// A recorded archive of four ranks in "a", of which a test damages something.
class RescueTest : public ::testing::Test {
  protected:
    void SetUp() override {
        fs::copy(std::string(TRACEFOLD_SAMPLES) + "/micro-pcoll-4", archive_,
                 fs::copy_options::recursive);
        sound_ = fold_without_rescue();
    }

    [[nodiscard]] std::string path(const std::string& file) const { return archive_ + "/" + file; }

    CompressOptions options() {
        CompressOptions options = fold_options(archive_, file_);
        options.rescue = true;
        options.force = true;
        return options;
    }

    std::string fold_without_rescue() {
        CompressOptions whole = options();
        whole.rescue = false;
        fold(whole);
        return file_bytes(file_);
    }

    /// Rescues the archive, expects these losses, and restores it into "back".
    CompressReport rescue(const std::vector<std::string>& losses) {
        const CompressReport report = fold(options());
        std::vector<std::string> texts;
        for (const FileLoss& loss : report.losses) {
            texts.push_back(lost_file_name(loss) + ": " + loss_text(loss));
        }
        EXPECT_EQ(texts, losses);
        EXPECT_EQ(TraceFile(file_).summary().losses, report.losses);
        unfold(file_, back_, true);
        return report;
    }

    void expect_nothing_left() {
        std::set<std::string> names;
        for (const auto& entry : fs::directory_iterator(scratch_ / "")) {
            if (entry.path().filename().string().starts_with("tracefold")) {
                ADD_FAILURE() << "left behind: " << entry.path();
            }
        }
    }

    TestDirectory scratch_;
    std::string archive_ = scratch_ / "a";
    std::string file_ = scratch_ / "a.tfold";
    std::string back_ = scratch_ / "back";
    std::string sound_;  ///< folded before any damage
};

TEST_F(RescueTest, SoundArchivesGiveTheSameBytes) {
    EXPECT_TRUE(fold(options()).losses.empty());
    EXPECT_EQ(file_bytes(file_), sound_);
    expect_nothing_left();
}

TEST_F(RescueTest, SoundArchivesOfAllRecordsGiveTheSameBytes) {
    fs::remove_all(archive_);
    write_archive(make_all_records(), archive_);
    const std::string whole = fold_without_rescue();
    EXPECT_TRUE(fold(options()).losses.empty());
    EXPECT_EQ(file_bytes(file_), whole);
}

TEST_F(RescueTest, WithoutTheOptionItIsNamed) {
    fs::resize_file(path("traces/2.evt"), 1000);
    EXPECT_EQ(error_of([&] { fold_without_rescue(); }, "trace_compress --rescue"),
              ErrorKind::corrupt);
    fs::remove(path("traces/2.evt"));
    EXPECT_EQ(error_of([&] { fold_without_rescue(); }, "trace_compress --rescue"), ErrorKind::io);
    fs::remove(path("traces.otf2"));
    EXPECT_EQ(error_of([&] { fold_without_rescue(); }, "trace_compress --rescue"), ErrorKind::io);
}

TEST_F(RescueTest, MissingEventsAreRefusedWithoutVerificationToo) {
    fs::remove(path("traces/2.evt"));
    CompressOptions whole = options();
    whole.rescue = false;
    whole.verify = false;
    EXPECT_EQ(error_of([&] { fold(whole); }, "location 2 "), ErrorKind::io);
}

TEST_F(RescueTest, CutEvents) {
    const std::string whole = file_bytes(path("traces/2.evt"));
    fs::resize_file(path("traces/2.evt"), 1000);
    rescue({"events of location 2: 81 of 182 records kept, 3 unusable bytes left out"});
    const std::string back = file_bytes(back_ + "/traces/2.evt");
    ASSERT_EQ(back.size(), 999U);
    EXPECT_EQ(back.substr(18, 979), whole.substr(18, 979));
    EXPECT_EQ(back[10], 81);  // the last event, in the header
}

TEST_F(RescueTest, MissingEvents) {
    fs::remove(path("traces/1.evt"));
    fs::remove(path("traces/3.evt"));
    rescue({"events of location 1: missing, with 182 records",
            "events of location 3: missing, with 182 records"});
    EXPECT_EQ(file_bytes(back_ + "/traces/0.evt"), file_bytes(path("traces/0.evt")));
    EXPECT_EQ(fs::file_size(back_ + "/traces/1.evt"), 20U);
}

TEST_F(RescueTest, MissingLocalDefinitions) {
    fs::remove(path("traces/1.def"));
    rescue(
        {"local definitions of location 1: missing; ids in its events are taken as global "
         "ones"});
}

TEST_F(RescueTest, MissingAnchor) {
    fs::remove(path("traces.otf2"));
    for (const std::string& name :
         {archive_, path("traces.otf2"), path("traces.def"), path("traces"), path("traces/")}) {
        CompressOptions rescued = options();
        rescued.archive = name;
        const CompressReport report = fold(rescued);
        ASSERT_EQ(report.losses.size(), 1U) << name;
        EXPECT_EQ(lost_file_name(report.losses[0]) + ": " + loss_text(report.losses[0]),
                  "anchor: missing; inferred from the other files");
        EXPECT_EQ(TraceFile(file_).archive().name, "traces");
    }
}

TEST_F(RescueTest, CutAnchorsKeepWhatTheySay) {
    const std::string bytes = file_bytes(path("traces.otf2"));
    for (std::size_t size = 0; size < bytes.size() - 2; size += 13) {
        SCOPED_TRACE(size);
        write_text(path("traces.otf2"), bytes.substr(0, size));
        rescue({"anchor: damaged; missing properties are inferred"});
        const TraceFile file(file_);
        EXPECT_EQ(file.archive().creator, size < 59 ? "" : "Score-P 8.4");
        EXPECT_EQ(file.archive().global_definition_count, 626U);
    }
}

TEST_F(RescueTest, GlobalDefinitionsAreNeeded) {
    fs::remove(path("traces.def"));
    EXPECT_EQ(error_of([&] { fold(options()); }, "traces.def are missing"), ErrorKind::io);
    fs::remove(path("traces.otf2"));
    EXPECT_EQ(error_of([&] { fold(options()); }, "traces.def are missing"), ErrorKind::io);
    expect_nothing_left();
}

TEST_F(RescueTest, NewlinesBehindEveryFileAreReadWithoutRescue) {
    for (const auto& entry : fs::recursive_directory_iterator(archive_)) {
        if (entry.is_regular_file()) std::ofstream(entry.path(), std::ios::app) << '\n';
    }
    EXPECT_NO_THROW(fold_without_rescue());
    EXPECT_TRUE(fold(options()).losses.empty());
}

/// Gives the `number`-th record of a file, one with a length, a number of nine bytes at byte `at`.
void break_record(const std::string& path, RawFileKind kind, std::size_t number, u64 at) {
    std::vector<u64> offsets;
    for (const ScannedElement& element : scan(path, kind, 0)) {
        if (element.kind == otf2::ElementKind::record) offsets.push_back(element.offset);
    }
    std::fstream file(path, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(static_cast<std::streamoff>(offsets.at(number) + at));
    file.put('\x09');
}

TEST_F(RescueTest, CompleteRecordsWithoutSense) {
    constexpr auto kCollectiveEnd =
        static_cast<u8>(kFirstEventNumber + static_cast<u8>(EventType::MpiCollectiveEnd));
    constexpr u64 kCommunicator = 3;
    const std::string events = path("traces/2.evt");
    const auto types = record_types(scan(events, RawFileKind::events, 0));
    const auto found = std::find(types.begin(), types.end(), kCollectiveEnd);
    const auto number = static_cast<std::size_t>(found - types.begin());
    break_record(events, RawFileKind::events, number, kCommunicator);
    const CompressReport report = fold(options());
    ASSERT_EQ(report.losses.size(), 1U);
    EXPECT_EQ(lost_file_name(report.losses[0]), "events of location 2");
    EXPECT_EQ(report.losses[0].records, number);
    EXPECT_EQ(report.losses[0].expected, 182U);
}

TEST_F(RescueTest, GlobalDefinitionsWithoutSense) {
    const std::string events = file_bytes(path("traces/2.evt"));
    break_record(path("traces.def"), RawFileKind::definitions, 100, 2);
    const CompressReport report = fold(options());
    ASSERT_EQ(report.losses.size(), 5U);
    EXPECT_EQ(report.losses[0].records, 100U);
    EXPECT_EQ(report.losses[0].expected, 626U);
    EXPECT_EQ(file_bytes(path("traces/2.evt")), events) << "the archive was touched";
}

/// A second definition counts as damage; the definitions before it are kept.
TEST_F(RescueTest, ALocationIsDefinedOnce) {
    constexpr u8 kLocation = 14;
    const std::string definitions = path("traces.def");
    u64 number = 0;
    std::string bytes = file_bytes(definitions);
    for (const ScannedElement& element : scan(definitions, RawFileKind::definitions, 0)) {
        if (element.kind != otf2::ElementKind::record) continue;
        ++number;
        if (element.type != kLocation) continue;
        bytes.insert(element.offset, bytes.substr(element.offset, element.size));
        break;
    }
    std::ofstream(definitions, std::ios::binary | std::ios::trunc) << bytes;
    EXPECT_EQ(error_of([&] { fold_without_rescue(); }, "location 0 is defined again"),
              ErrorKind::corrupt);
    const CompressReport report = fold(options());
    ASSERT_FALSE(report.losses.empty());
    EXPECT_EQ(lost_file_name(report.losses[0]), "global definitions");
    EXPECT_EQ(report.losses[0].records, number);
    unfold(file_, back_, true);
}

/// The records of every file of an archive.
std::map<std::string, std::vector<std::vector<u8>>> all_records(const ArchiveFiles& files) {
    std::map<std::string, std::vector<std::vector<u8>>> records;
    const auto add = [&](const std::string& path, RawFileKind kind) {
        auto& list = records[fs::path(path).filename().string()];
        for (ScannedElement& element : scan(path, kind, 0)) {
            if (element.kind == otf2::ElementKind::record) {
                list.push_back(std::move(element.bytes));
            }
        }
    };
    add(files.global_definitions(), RawFileKind::definitions);
    const LocationFiles found = files.of_locations();
    for (const u64 id : found.events) add(files.events(id), RawFileKind::events);
    for (const u64 id : found.local_definitions) {
        add(files.local_definitions(id), RawFileKind::definitions);
    }
    return records;
}

/// Reads what libotf2 makes of an archive.
u64 read_everything(const std::string& anchor) {
    ArchiveReader reader(anchor);
    u64 records = 0;
    for (const u64 location : location_ids(reader)) {
        records += reader.read_local_definitions(location, [](const RecordBatch&) {});
        records += reader.read_events(location, [](const RecordBatch&) {});
    }
    return records;
}

class CutAnywhereTest : public RescueTest, public ::testing::WithParamInterface<const char*> {};

/// Every file but the cut one keeps its records, and that one those before the cut.
TEST_P(CutAnywhereTest, KeepsEveryCompleteRecord) {
    const std::string file = GetParam();
    const std::string name = fs::path(file).filename().string();
    const bool events = file.ends_with(".evt");
    const auto whole = all_records({archive_, "traces"});
    const auto elements =
        scan(path(file), events ? RawFileKind::events : RawFileKind::definitions, 0);
    const u64 step = file == "traces.def" ? 83 : 1;
    u64 size = fs::file_size(path(file)) - 1;
    while (size >= step) {
        size -= step;
        SCOPED_TRACE(file + " cut to " + std::to_string(size));
        fs::resize_file(path(file), size);
        const std::string folder = scratch_ / "mended";
        fs::create_directory(folder);
        const MendedArchive mended = mend_archive(archive_, folder, {{}, false});
        ASSERT_FALSE(mended.losses.empty());
        const auto complete =
            std::count_if(elements.begin(), elements.end(), [size](const ScannedElement& element) {
                return element.kind == otf2::ElementKind::record &&
                       element.offset + element.size <= size;
            });
        EXPECT_EQ(mended.losses[0].records, static_cast<u64>(complete));
        auto kept = all_records({folder, "traces"});
        auto expected = whole;
        expected[name].resize(static_cast<std::size_t>(complete));
        if (file == "traces.def")
            kept[name].resize(std::min(kept[name].size(), expected[name].size()));
        ASSERT_EQ(kept, expected);
        EXPECT_GT(read_everything(mended.anchor), 0U);
        fs::remove_all(folder);
    }
}

INSTANTIATE_TEST_SUITE_P(Files, CutAnywhereTest,
                         ::testing::Values("traces/2.evt", "traces/2.def", "traces.def"));

}  // namespace
}  // namespace tracefold::testing
