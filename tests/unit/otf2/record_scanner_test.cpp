// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "otf2/detail/record_scanner.hpp"

#include "support/expect_error.hpp"
#include "support/otf2_all_records.hpp"
#include "support/otf2_copy.hpp"
#include "support/otf2_scan.hpp"
#include "support/test_directory.hpp"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace tracefold::testing {
namespace {

using otf2::ElementKind;
using otf2::kSmallestChunk;
using otf2::RawFileKind;
using otf2::RecordScanner;
using Elements = std::vector<ScannedElement>;

const std::string kSixZeros(6, '\0');
/// A chunk header of little byte order: events from number 1 to number 2.
const std::string kHeader =
    std::string("\3B\1\0", 4) + kSixZeros + std::string("\2\0", 2) + kSixZeros;
const std::string kEnd = "\2\1";
const std::string kEnter = "\x0c\1\7";
const std::string kTimestamp = "\5abcdefgh";

class RecordScannerTest : public ::testing::Test {
  protected:
    Elements scan_bytes(const std::string& bytes, RawFileKind kind = RawFileKind::events,
                        u64 chunk_size = kSmallestChunk) {
        std::ofstream(path_, std::ios::binary | std::ios::trunc) << bytes;
        return scan(path_, kind, chunk_size);
    }

    /// The file must be damaged from byte `offset` on.
    void expect_damage(const std::string& bytes, u64 offset, const std::string& reason,
                       RawFileKind kind = RawFileKind::events) {
        const Elements elements = scan_bytes(bytes, kind);
        ASSERT_FALSE(elements.empty());
        const ScannedElement& last = elements.back();
        EXPECT_EQ(last.kind, ElementKind::damage);
        EXPECT_EQ(last.offset, offset);
        EXPECT_EQ(last.size, bytes.size() - offset);
        EXPECT_EQ(last.reason, reason);
    }

    TestDirectory scratch_;
    std::string path_ = scratch_ / "file";
};

/// Elements lie side by side and cover the file.
void expect_tiled(const Elements& elements, u64 file_size) {
    u64 position = 0;
    for (const ScannedElement& element : elements) {
        ASSERT_EQ(element.offset, position);
        position += element.size;
    }
    EXPECT_EQ(position, file_size);
}

TEST_F(RecordScannerTest, EveryKindOfElementInAnEventFile) {
    const std::string attributes = std::string("\6\2ab");
    const Elements elements = scan_bytes(kHeader + kTimestamp + attributes + kEnter + kEnd + "\n");
    ASSERT_EQ(elements.size(), 6U);
    EXPECT_EQ(elements[0].kind, ElementKind::chunk_header);
    EXPECT_EQ(elements[0].header.first_event, 1U);
    EXPECT_EQ(elements[0].header.last_event, 2U);
    EXPECT_TRUE(elements[0].header.little_endian);
    EXPECT_EQ(elements[1].kind, ElementKind::timestamp);
    EXPECT_EQ(elements[1].ticks, 0x6867666564636261U);
    EXPECT_EQ(elements[2].kind, ElementKind::attribute_list);
    EXPECT_EQ(elements[2].bytes, (std::vector<u8>{'a', 'b'}));
    EXPECT_EQ(elements[3].kind, ElementKind::record);
    EXPECT_EQ(elements[3].type, 12);
    EXPECT_EQ(elements[3].bytes, (std::vector<u8>{1, 7}));
    EXPECT_EQ(elements[4].kind, ElementKind::end_mark);
    EXPECT_EQ(elements[4].size, 2U);
    EXPECT_EQ(elements[5].kind, ElementKind::trailing_bytes);
    EXPECT_EQ(elements[5].size, 1U);
}

TEST_F(RecordScannerTest, DefinitionFilesHaveOtherTypes) {
    // In event files these would be a timestamp, an attribute list, and a number.
    const Elements elements =
        scan_bytes(kHeader + "\5\1a" + "\6\1b" + "\x0c\1c" + kEnd, RawFileKind::definitions);
    EXPECT_EQ(record_types(elements), (std::vector<u8>{5, 6, 12}));
    EXPECT_EQ(elements[3].bytes, (std::vector<u8>{'c'}));
}

TEST_F(RecordScannerTest, BigByteOrderAndLongRecords) {
    const std::string header =
        std::string("\3#") + std::string(7, '\0') + "\1" + std::string(7, '\0') + "\2";
    const std::string record = "\xF0\xFF" + kSixZeros + std::string("\1\2", 2);
    const Elements elements = scan_bytes(header + record + std::string(258, 'x') + kEnd);
    ASSERT_EQ(elements.size(), 3U);
    EXPECT_EQ(elements[0].header.last_event, 2U);
    EXPECT_FALSE(elements[0].header.little_endian);
    EXPECT_EQ(elements[1].type, 0xF0);
    EXPECT_EQ(elements[1].bytes, std::vector<u8>(258, 'x'));
}

TEST_F(RecordScannerTest, AnUndefinedNumberHasNoBytes) {
    const Elements elements = scan_bytes(kHeader + "\x0c\xFF" + "\x0d\xFF" + kEnd);
    EXPECT_EQ(record_types(elements), (std::vector<u8>{12, 13}));
}

TEST_F(RecordScannerTest, ChunksAreFoundWithAndWithoutTheirSize) {
    std::string chunk = kHeader + kEnter;
    chunk += std::string(kSmallestChunk - chunk.size(), '\0');
    const std::string bytes = chunk + chunk + kHeader + kEnter + kEnd;
    for (const u64 known : {kSmallestChunk, u64{0}, u64{1}, ~u64{0}}) {
        const Elements elements = scan_bytes(bytes, RawFileKind::events, known);
        expect_tiled(elements, bytes.size());
        EXPECT_EQ(record_types(elements), (std::vector<u8>{12, 12, 12}));
        RecordScanner scanner(path_, RawFileKind::events, known, "x");
        otf2::RawElement element;
        while (scanner.next(element)) EXPECT_TRUE(element.zeros);
        EXPECT_EQ(scanner.chunk_size(), kSmallestChunk);
    }
}

TEST_F(RecordScannerTest, WhatFillsAChunkNeedNotBeZero) {
    std::string chunk = kHeader + kEnter + std::string("\0junk", 5);
    chunk += std::string(kSmallestChunk - chunk.size(), '\0');
    const Elements elements = scan_bytes(chunk + kHeader + kEnd);
    expect_tiled(elements, kSmallestChunk + 20);
    ASSERT_EQ(elements[2].kind, ElementKind::end_of_chunk);
    EXPECT_FALSE(elements[2].zeros);
    EXPECT_EQ(elements.back().kind, ElementKind::end_mark);
}

TEST_F(RecordScannerTest, TheSecondEndMarkMayBeMissing) {
    const Elements elements = scan_bytes(kHeader + "\2");
    EXPECT_EQ(elements.back().kind, ElementKind::end_mark);
    EXPECT_EQ(elements.back().size, 1U);
}

TEST_F(RecordScannerTest, Damage) {
    expect_damage("", 0, "the end mark is missing");
    expect_damage("\3", 0, "the file ends within a chunk header");
    expect_damage(std::string(18, 'x'), 0, "there is no chunk header where a chunk begins");
    expect_damage(kHeader, 18, "the end mark is missing");
    expect_damage(kHeader + "\5abc", 18, "the file ends within a record");
    expect_damage(kHeader + kEnter + "\x0c\x09" + std::string(20, 'x'), 21,
                  "a number has more than eight bytes");
    expect_damage(kHeader + kTimestamp + kTimestamp + kEnter + kEnd, 27,
                  "two timestamps follow each other");
    expect_damage(kHeader + kEnter + std::string(90, '\0'), 111, "the end mark is missing");
}

TEST_F(RecordScannerTest, LengthsAreNotTrusted) {
    for (const char digit : {'\x01', '\x7F', '\xFF'}) {
        const std::string length(8, digit);
        expect_damage(kHeader + "\xF0\xFF" + length + "abc", 18,
                      "a record is longer than its chunk");
        expect_damage(kHeader + "\xF0\xFF" + length + "abc", 18,
                      "a record is longer than its chunk", RawFileKind::definitions);
    }
    const std::string long_but_possible = std::string("\0\0\1\0\0\0\0\0", 8);
    expect_damage(kHeader + "\xF0\xFF" + long_but_possible, 18, "the file ends within a record");
}

TEST_F(RecordScannerTest, ARecordMayNotReachTheEndOfItsChunk) {
    const std::string record = std::string("\xF0\xC8") + std::string(200, 'x');
    std::string bytes = kHeader;
    while (bytes.size() + record.size() <= kSmallestChunk) bytes += record;
    const u64 rest = kSmallestChunk - bytes.size();
    std::string last = "\xF0";
    last += static_cast<char>(rest - 2);
    expect_damage(bytes + last + std::string(rest - 2, 'x') + kHeader + kEnd, bytes.size(),
                  "a record is longer than its chunk");
}

TEST_F(RecordScannerTest, MissingFile) {
    expect_error(ErrorKind::io, "cannot read events of x: ", [&] {
        RecordScanner(scratch_ / "none", RawFileKind::events, 0, "events of x");
    });
}

/// A cut file has what lies before the cut, and then damage.
void expect_prefix(const Elements& whole, const Elements& cut, u64 size) {
    expect_tiled(cut, size);
    ASSERT_FALSE(cut.empty());
    const bool ended = cut.back().kind == ElementKind::end_mark;
    EXPECT_TRUE(ended || cut.back().kind == ElementKind::damage);
    for (std::size_t i = 0; i + 1 < cut.size(); ++i) {
        ASSERT_EQ(cut[i].kind, whole[i].kind);
        ASSERT_EQ(cut[i].offset, whole[i].offset);
        ASSERT_EQ(cut[i].bytes, whole[i].bytes);
    }
    if (cut.size() > 1 && cut.size() <= whole.size()) {  // nothing complete is left out
        const ScannedElement& next = whole[cut.size() - 1];
        EXPECT_TRUE(ended || next.kind == ElementKind::end_of_chunk ||
                    next.offset + next.size > size);
    }
}

TEST_F(RecordScannerTest, FilesCutAnywhere) {
    write_archive(make_all_records(), scratch_ / "a");
    const std::pair<const char*, RawFileKind> files[] = {{"a/all/0.evt", RawFileKind::events},
                                                         {"a/all/0.def", RawFileKind::definitions}};
    for (const auto& [file, kind] : files) {
        const std::string bytes = file_bytes(scratch_ / file);
        const Elements whole = scan_bytes(bytes, kind);
        expect_tiled(whole, bytes.size());
        for (std::size_t size = bytes.size(); size-- > 0;) {
            SCOPED_TRACE(std::string(file) + " cut to " + std::to_string(size));
            std::filesystem::resize_file(path_, size);
            expect_prefix(whole, scan(path_, kind, kSmallestChunk), size);
        }
    }
}

}  // namespace
}  // namespace tracefold::testing
