// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/bytes.hpp"

#include "support/expect_error.hpp"

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using namespace std::string_literals;

constexpr i64 kLowest = std::numeric_limits<i64>::min();
constexpr i64 kHighest = std::numeric_limits<i64>::max();

static_assert(zigzag(0) == 0 && zigzag(-1) == 1 && zigzag(1) == 2 && zigzag(-2) == 3);
static_assert(zigzag(kHighest) == ~u64{0} - 1 && zigzag(kLowest) == ~u64{0});
static_assert(unzigzag(0) == 0 && unzigzag(1) == -1 && unzigzag(2) == 1 && unzigzag(3) == -2);
static_assert(unzigzag(~u64{0}) == kLowest && unzigzag(~u64{0} - 1) == kHighest);

static_assert(std::is_constructible_v<ByteReader, std::string&, std::string>);
static_assert(!std::is_constructible_v<ByteReader, std::string, std::string>);

template <class Put>
std::string written(const Put& put) {
    ByteWriter writer;
    put(writer);
    EXPECT_EQ(writer.size(), writer.bytes().size());
    return writer.take();
}

std::string varint(u64 value) {
    return written([&](ByteWriter& writer) { writer.put_varint(value); });
}

void expect_damage(const std::string& bytes, const std::string& part, void (*read)(ByteReader&)) {
    expect_error(ErrorKind::corrupt, part, [&] {
        ByteReader reader(bytes, "section X of a.tfold");
        read(reader);
    });
}

TEST(ByteWriterTest, FixedSizesAreLittleEndian) {
    const std::string bytes = written([](ByteWriter& writer) {
        writer.put_u8(0xFE);
        writer.put_u32le(0x01020304);
        writer.put_u64le(0x8102030405060708);
        writer.put_bytes("a\0b"s);
    });
    EXPECT_EQ(bytes,
              "\xFE\x04\x03\x02\x01\x08\x07\x06\x05\x04\x03\x02\x81"
              "a\0b"s);
}

TEST(ByteWriterTest, VarintsAreLiteralLeb128) {
    EXPECT_EQ(varint(0), "\0"s);
    EXPECT_EQ(varint(1), "\x01"s);
    EXPECT_EQ(varint(127), "\x7F"s);
    EXPECT_EQ(varint(128), "\x80\x01"s);
    EXPECT_EQ(varint(300), "\xAC\x02"s);
    EXPECT_EQ(varint(16383), "\xFF\x7F"s);
    EXPECT_EQ(varint(16384), "\x80\x80\x01"s);
    EXPECT_EQ(varint(u64{1} << 63U), "\x80\x80\x80\x80\x80\x80\x80\x80\x80\x01"s);
    EXPECT_EQ(varint(~u64{0}), "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s);
}

TEST(ByteWriterTest, SignedNumbersAreZigzagVarints) {
    const auto signed_bytes = [](i64 value) {
        return written([&](ByteWriter& writer) { writer.put_signed(value); });
    };
    EXPECT_EQ(signed_bytes(0), "\0"s);
    EXPECT_EQ(signed_bytes(-1), "\x01"s);
    EXPECT_EQ(signed_bytes(63), "\x7E"s);
    EXPECT_EQ(signed_bytes(-64), "\x7F"s);
    EXPECT_EQ(signed_bytes(64), "\x80\x01"s);
    EXPECT_EQ(signed_bytes(kLowest), "\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\x01"s);
}

TEST(ByteWriterTest, StartsAgainAfterTake) {
    ByteWriter writer;
    writer.put_bytes(std::string(100, 'x'));
    EXPECT_EQ(writer.take().size(), 100U);
    EXPECT_EQ(writer.size(), 0U);
    writer.put_u8('y');
    EXPECT_EQ(writer.take(), "y");
}

TEST(ByteReaderTest, ReadsBackWhatWasWritten) {
    std::vector<u64> values = {0, ~u64{0}};
    for (unsigned bit = 0; bit < 64; ++bit) {
        values.insert(values.end(), {(u64{1} << bit) - 1, u64{1} << bit, (u64{1} << bit) + 1});
    }
    ByteWriter writer;
    for (const u64 value : values) {
        writer.put_varint(value);
        writer.put_signed(static_cast<i64>(value));
        writer.put_u64le(value);
        writer.put_u32le(static_cast<u32>(value));
        writer.put_u8(static_cast<u8>(value));
    }
    const std::string bytes = writer.take();
    ByteReader reader(bytes, "test");
    for (const u64 value : values) {
        EXPECT_EQ(reader.get_varint(), value);
        EXPECT_EQ(reader.get_signed(), static_cast<i64>(value));
        EXPECT_EQ(reader.get_u64le(), value);
        EXPECT_EQ(reader.get_u32le(), static_cast<u32>(value));
        EXPECT_EQ(reader.get_u8(), static_cast<u8>(value));
    }
    EXPECT_NO_THROW(reader.expect_end());
}

TEST(ByteReaderTest, KnowsItsPosition) {
    ByteReader reader("abcdef", "test");
    EXPECT_EQ(reader.get_bytes(2), "ab");
    EXPECT_EQ(reader.position(), 2U);
    EXPECT_EQ(reader.remaining(), 4U);
    EXPECT_EQ(reader.get_bytes(0), "");
    EXPECT_EQ(reader.get_bytes(4), "cdef");
    EXPECT_EQ(reader.remaining(), 0U);
}

TEST(ByteReaderTest, ThrowsAtEveryOverrun) {
    expect_damage("", "section X of a.tfold is damaged at byte 0: ", [](ByteReader& reader) {
        reader.get_u8();
    });
    expect_damage("abc", "1 bytes are needed and 0 are left", [](ByteReader& reader) {
        reader.get_bytes(3);
        reader.get_u8();
    });
    expect_damage("abc", "at byte 0: it ends too early, 4 bytes are needed and 3 are left",
                  [](ByteReader& reader) { reader.get_u32le(); });
    expect_damage("abcdefgh", "at byte 1: ", [](ByteReader& reader) {
        reader.get_u8();
        reader.get_u64le();
    });
    expect_damage("abc", "at byte 1: ", [](ByteReader& reader) {
        reader.get_u8();
        reader.get_bytes(~u64{0});
    });
    expect_damage("", "ends too early", [](ByteReader& reader) { reader.get_varint(); });
    expect_damage("\x80\x80", "ends too early", [](ByteReader& reader) { reader.get_varint(); });
    expect_damage(std::string(9, '\x80'), "ends too early",
                  [](ByteReader& reader) { reader.get_varint(); });
}

TEST(ByteReaderTest, RejectsElevenByteVarints) {
    const std::string eleven = "x" + std::string(10, '\x80') + "\x01"s;
    expect_damage(eleven, "at byte 1: a number is longer than 10 bytes", [](ByteReader& reader) {
        reader.get_u8();
        reader.get_varint();
    });
}

TEST(ByteReaderTest, RejectsNumbersBeyondSixtyFourBits) {
    expect_damage(std::string(9, '\xFF') + "\x02", "at byte 0: a number does not fit into 64 bits",
                  [](ByteReader& reader) { reader.get_varint(); });
    expect_damage(std::string(9, '\x80') + "\x7F", "does not fit into 64 bits",
                  [](ByteReader& reader) { reader.get_signed(); });
}

TEST(ByteReaderTest, AcceptsPaddedVarints) {
    const std::string padded = "\x81\x80\0"s + std::string(9, '\x80') + "\0"s;
    ByteReader reader(padded, "test");
    EXPECT_EQ(reader.get_varint(), 1U);
    EXPECT_EQ(reader.get_varint(), 0U);
    EXPECT_NO_THROW(reader.expect_end());
}

TEST(ByteReaderTest, CountsMustFitIntoTheBytesLeft) {
    ByteReader exact("\x03zzzzzz", "test");
    EXPECT_EQ(exact.get_count(2), 3U);
    ByteReader none(std::string_view("\0", 1), "test");
    EXPECT_EQ(none.get_count(1000), 0U);
    expect_damage("x\x04zzzzzzz",
                  "at byte 1: 4 items of at least 2 bytes do not fit into the 7 bytes left",
                  [](ByteReader& reader) {
                      reader.get_u8();
                      reader.get_count(2);
                  });
    // The product of count and size would wrap around to zero.
    expect_damage(std::string(9, '\x80') + "\x01", "do not fit",
                  [](ByteReader& reader) { reader.get_count(2); });
    expect_damage("\x01z", "do not fit", [](ByteReader& reader) { reader.get_count(~u64{0}); });
}

TEST(ByteReaderTest, RefusesWhatDoesNotFitInto32Bits) {
    ByteReader most("\xFF\xFF\xFF\xFF\x0F", "test");
    EXPECT_EQ(most.get_u32(), 0xFFFFFFFFU);
    expect_damage("x\x80\x80\x80\x80\x10", "at byte 1: 4294967296 does not fit into 32 bits",
                  [](ByteReader& reader) {
                      reader.get_u8();
                      reader.get_u32();
                  });
}

TEST(ByteReaderTest, TextsHaveALength) {
    ByteWriter writer;
    writer.put_text("text");
    ByteReader reader(writer.bytes(), "test");
    EXPECT_EQ(reader.get_text(), "text");
    expect_damage("\x05text", "5 bytes are needed and 4 are left",
                  [](ByteReader& cut) { cut.get_text(); });
}

TEST(ByteReaderTest, ExpectsTheEnd) {
    expect_damage("abc", "at byte 1: nothing more was expected, but 2 bytes are left",
                  [](ByteReader& reader) {
                      reader.get_u8();
                      reader.expect_end();
                  });
}

}  // namespace
}  // namespace tracefold
