// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/file_encoder.hpp"

#include "base/error.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "otf2/archive_reader.hpp"
#include "support/expect_error.hpp"
#include "support/otf2_copy.hpp"
#include "support/random_source.hpp"
#include "support/test_directory.hpp"
#include "unit/otf2/libotf2_writer.hpp"

#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

constexpr u64 kSmallChunk = u64{256} << 10;

/// Draws records of any type whose values are at the borders of every size.
class RecordDrawer {
  public:
    explicit RecordDrawer(u64 seed) : random_(seed) {}

    RandomSource& random() { return random_; }

    void draw(RecordBatch& batch, const RecordInfo& info, u8 type, u64 time) {
        batch.begin(type, time);
        u64 count = 0;
        for (u8 i = 0; i < info.field_count; ++i) {
            const Field& field = info.fields[i];
            if (field.width == Width::text) {
                batch.push_text(std::string(length(), 'x'));
            } else if (field.kind == FieldKind::count) {
                batch.push(count = length() % (field.width == Width::byte ? 256 : 400));
            } else {
                for (u64 k = field.array ? count : 1; k > 0; --k) batch.push(value(field));
            }
        }
    }

    void draw_attributes(RecordBatch& batch, u64 most) {
        u32 ref = static_cast<u32>(number());
        for (u64 left = random_.below(most + 1); left > 0; --left) {
            const u8 type = static_cast<u8>(random_.below(27));
            batch.push_attribute({ref, type, number()});
            ref += 1 + static_cast<u32>(random_.below(1000));
        }
    }

    /// Often 0, or all ones from some bit on.
    u64 number() {
        if (random_.below(4) == 0) return random_.below(2) == 0 ? 0 : ~u64{0};
        const u64 bits = random_.below(64);
        const u64 border = u64{1} << bits;
        return border + random_.below(3) - 1;
    }

    u64 length() { return random_.below(8) == 0 ? 240 + random_.below(30) : random_.below(30); }

    u64 value(const Field& field) {
        if (field.kind == FieldKind::type) return random_.below(27);
        switch (field.width) {
            case Width::byte:
                return number() & 0xFF;
            case Width::packed32: {
                const u64 drawn = number();
                return drawn == ~u64{0} ? kNone : drawn & 0xFFFFFFFF;
            }
            default:
                return number();
        }
    }

  private:
    RandomSource random_;
};

class FileEncoderTest : public ::testing::Test {
  protected:
    FileEncoderTest() {
        records_.info.name = "all";
        records_.info.event_chunk_size = records_.info.definition_chunk_size = kSmallChunk;
    }

    /// Both archives must have the same files, except for the anchor.
    void expect_same_files() {
        for (const char* folder : {"ours", "reference"}) {
            std::filesystem::remove_all(scratch_ / folder);
        }
        write_archive(records_, scratch_ / "ours");
        write_by_libotf2(records_, scratch_ / "reference");
        u64 files = 0;
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(scratch_ / "reference")) {
            if (!entry.is_regular_file() || entry.path().extension() == ".otf2") continue;
            const std::string name =
                entry.path().lexically_relative(scratch_ / "reference").string();
            const std::string expected = file_bytes(entry.path().string());
            const std::string found = file_bytes(scratch_ / ("ours/" + name));
            const auto [a, b] = std::ranges::mismatch(expected, found);
            EXPECT_TRUE(expected == found) << name << " differs at byte " << a - expected.begin();
            ++files;
        }
        EXPECT_EQ(files, 1 + records_.events.size() + records_.local_definitions.size());
    }

    /// Events of all types that libotf2 3.0 knows.
    RecordBatch draw_events(u64 count, u64 time, u64 most_attributes) {
        RecordBatch batch;
        for (u64 i = 0; i < count; ++i) {
            const u8 type = static_cast<u8>(drawer_.random().below(kFirstEventOf32));
            drawer_.draw(batch, event_info(type), type, time);
            if (most_attributes != 0) drawer_.draw_attributes(batch, most_attributes);
            if (i > 20) time += drawer_.random().below(3);
        }
        return batch;
    }

    TestDirectory scratch_;
    AllRecords records_;
    RecordDrawer drawer_{1};
};

TEST_F(FileEncoderTest, WritesEveryRecordAsLibotf2Does) {
    records_ = make_all_records();
    for (auto& [location, batch] : records_.events) {
        RecordBatch known;
        for (const auto& head : batch.heads()) {
            if (head.type < kFirstEventOf32) known.append(batch, head);
        }
        batch = std::move(known);
    }
    expect_same_files();
}

TEST_F(FileEncoderTest, WritesDrawnEventsAsLibotf2Does) {
    records_.events[0] = draw_events(60'000, 0, 0);
    records_.events[1] = draw_events(20'000, 5, 2);
    records_.events[2] = draw_events(5'000, 0, 39);
    records_.events[3] = {};
    expect_same_files();
}

/// A chunk ends at any distance from its last record.
TEST_F(FileEncoderTest, EndsChunksWhereLibotf2Does) {
    for (u64 i = 0; i < 64; ++i) {
        RecordBatch& batch = records_.events[i];
        for (u64 k = 0; k < i; ++k) batch.begin(static_cast<u8>(EventType::OmpJoin), 1);
        for (u64 k = 0; k < 25'000; ++k) {
            batch.begin(static_cast<u8>(EventType::Enter), 1 + k);
            batch.push(k % 2);
        }
    }
    expect_same_files();
}

TEST_F(FileEncoderTest, WritesDrawnDefinitionsAsLibotf2Does) {
    const auto draw = [this](RecordBatch& batch, Stream stream, u64 count) {
        for (u64 i = 0; i < count; ++i) {
            const u8 type = static_cast<u8>(drawer_.random().below(kDefinitionTypes));
            const auto is = [type](DefinitionType one) { return type == static_cast<u8>(one); };
            // libotf2 checks the ids of locations, and mapping tables have rules of their own.
            const bool local_only = type >= static_cast<u8>(DefinitionType::MappingTable);
            const bool global_only = type < static_cast<u8>(DefinitionType::String);
            const bool local = stream == Stream::local_definitions;
            if (is(DefinitionType::Location) || is(DefinitionType::MappingTable)) continue;
            if (local ? global_only : local_only) continue;
            drawer_.draw(batch, definition_info(type), type, 0);
        }
    };
    draw(records_.global_definitions, Stream::global_definitions, 20'000);
    draw(records_.local_definitions[0], Stream::local_definitions, 20'000);
    expect_same_files();
}

/// libotf2 derives fields of OTF2 1.0 from these.
TEST_F(FileEncoderTest, WritesObsoleteFieldsAsLibotf2Does) {
    RecordBatch& batch = records_.global_definitions;
    for (u64 role = 0; role < 48; ++role) {
        for (u64 paradigm = 0; paradigm < 32; ++paradigm) {
            for (u64 flags = 0; flags < 5; ++flags) {
                batch.begin(static_cast<u8>(DefinitionType::Region));
                for (const u64 value : {u64{1}, u64{2}, u64{3}, u64{4}, role, paradigm, flags}) {
                    batch.push(value);
                }
                for (const u64 value : {5U, 6U, 7U}) batch.push(value);
                batch.begin(static_cast<u8>(DefinitionType::Group));
                for (const u64 value : {u64{1}, u64{2}, role, paradigm, flags, u64{0}}) {
                    batch.push(value);
                }
            }
        }
    }
    expect_same_files();
}

TEST_F(FileEncoderTest, WritesMappingTablesAsLibotf2Does) {
    RecordBatch& batch = records_.local_definitions[0];
    for (u64 i = 0; i < 3'000; ++i) {
        const bool sparse = drawer_.random().below(2) == 0;
        const u64 size = drawer_.length();
        batch.begin(static_cast<u8>(DefinitionType::MappingTable));
        for (const u64 value : {i % kMappingKinds, u64{sparse}, size}) batch.push(value);
        u64 id = 0;
        for (u64 k = 0; k < size; ++k) {
            batch.push(id);
            id += sparse ? 1 + drawer_.random().below(u64{1} << (1 + k % 40)) : 1;
        }
        for (u64 k = 0; k < size; ++k) batch.push(drawer_.number());
    }
    expect_same_files();
}

TEST_F(FileEncoderTest, RefusesRecordsLongerThanAChunk) {
    FileEncoder encoder(Stream::global_definitions, kSmallChunk, "definitions");
    RecordBatch batch;
    batch.begin(static_cast<u8>(DefinitionType::String));
    batch.push(0);
    batch.push_text(std::string(kSmallChunk, 'x'));
    expect_error(ErrorKind::corrupt, "more bytes than a chunk", [&] { encoder.encode(batch, 0); });
    expect_error(ErrorKind::corrupt, "in chunks of 5 bytes",
                 [] { FileEncoder(Stream::events, 5, "events"); });
}

TEST_F(FileEncoderTest, EncodesInAnyNumberOfPieces) {
    const RecordBatch all = draw_events(50'000, 0, 3);
    const auto encode = [&all](std::size_t piece) {
        std::size_t next = 0;
        EncodedFile file(FileEncoder(Stream::events, kSmallChunk, "events"),
                         [&](RecordBatch& batch) {
                             batch.clear();
                             const std::size_t end = std::min(all.size(), next + piece);
                             if (next == end) return false;
                             batch.append(all, all.heads().subspan(next, end - next));
                             next = end;
                             return true;
                         });
        std::string bytes;
        for (auto chunk = file.next_chunk(); !chunk.empty(); chunk = file.next_chunk()) {
            bytes += chunk;
        }
        EXPECT_EQ(file.records(), all.size());
        return bytes;
    };
    const std::string whole = encode(all.size());
    EXPECT_GT(whole.size(), 4 * kSmallChunk);
    EXPECT_TRUE(encode(1) == whole);
    EXPECT_TRUE(encode(777) == whole);
}

}  // namespace
}  // namespace tracefold::testing
