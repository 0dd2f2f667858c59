// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/bytes.hpp"
#include "support/record_builder.hpp"
#include "unit/archives/archive_round_trip.hpp"

#include <algorithm>

namespace tracefold::testing {
namespace {

class PortableTest : public PipelineTest {
  protected:
    [[nodiscard]] CompressOptions portable(TimingLevel timing) const {
        CompressOptions options = fold_options(sample_, file_);
        options.timing = timing;
        options.portable = true;
        options.force = true;
        return options;
    }

    const std::string sample_ = std::string(TRACEFOLD_SAMPLES) + "/micro-user-4";

    static bool has_coding(const ContainerReader& file, Coding coding) {
        return std::ranges::any_of(
            file.sections(), [coding](const Section& section) { return section.coding == coding; });
    }
};

TEST_F(PortableTest, GivesBackEveryFileByteByByte) {
    CompressOptions options = portable(TimingLevel::exact);
    options.archive = archive_;
    fold(options);
    unfold(file_, scratch_ / "back");
    const ArchiveReader reader(archive_);
    EXPECT_EQ(differing_files(reader, scratch_ / "back"), std::vector<std::string>{});
}

TEST_F(PortableTest, HasNeitherDictionaryNorModelsAtAnyLevel) {
    for (const TimingLevel timing :
         {TimingLevel::none, TimingLevel::exact, TimingLevel::histogram, TimingLevel::quantized}) {
        fold(portable(timing));
        TraceFile file(file_);
        EXPECT_TRUE(file.container().is_portable());
        EXPECT_FALSE(has_coding(file.container(), Coding::context_mixing));
        EXPECT_TRUE(has_coding(file.container(), Coding::zstd));
        EXPECT_EQ(file.summary().timing, timing);
    }
}

TEST_F(PortableTest, HoldsWhatOtherFilesHold) {
    const std::string other = scratch_ / "other.tfold";
    for (const TimingLevel timing : {TimingLevel::quantized, TimingLevel::histogram}) {
        CompressOptions options = portable(timing);
        fold(options);
        options.portable = false;
        options.output = other;
        fold(options);
        TraceFile portable_file(file_);
        TraceFile usual_file(other);
        EXPECT_FALSE(usual_file.container().is_portable());
        for (u32 location = 0; location < usual_file.location_count(); ++location) {
            RecordBatch expected;
            RecordBatch read;
            const auto append_to = [](RecordBatch& all) {
                return [&all](const RecordBatch& part) { all.append(part, part.heads()); };
            };
            drain(*usual_file.events(location), append_to(expected));
            drain(*portable_file.events(location), append_to(read));
            EXPECT_TRUE(same_records(Stream::events, expected, read)) << location;
        }
    }
}

/// Nobody may need the dictionary for a file that says it needs none.
TEST_F(PortableTest, EntriesOfTheDictionaryAreRefused) {
    ArchiveHead head{all_.info, {}};
    head.archive.name = "traces";
    const std::string with_entries = encode_archive(head);
    const std::string without = encode_archive(head, Dictionary::none());
    EXPECT_GT(without.size(), with_entries.size());
    EXPECT_EQ(decode_archive(without, "test", Dictionary::none()).archive.name, "traces");
    ByteWriter entry;
    entry.put_varint(1);
    EXPECT_EQ(error_of([&] { decode_archive(entry.bytes(), "test", Dictionary::none()); },
                       "none of the dictionary's"),
              ErrorKind::corrupt);
}

}  // namespace
}  // namespace tracefold::testing
