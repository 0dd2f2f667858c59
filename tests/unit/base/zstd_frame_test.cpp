// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/zstd_frame.hpp"

#include "base/hash.hpp"
#include "support/expect_error.hpp"

#include <cstddef>
#include <string>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

using namespace std::string_literals;

constexpr std::size_t kMiB = std::size_t{1} << 20U;

std::string noise(std::size_t size) {
    std::string bytes(size, '\0');
    for (std::size_t i = 0; i < size; ++i) {
        bytes[i] = static_cast<char>(mix(i + 1));
    }
    return bytes;
}

std::string text(std::size_t size) {
    std::string bytes;
    for (u64 line = 0; bytes.size() < size; ++line) {
        bytes += "line " + std::to_string(mix(line) % 1000) + "\n";
    }
    bytes.resize(size);
    return bytes;
}

void expect_damaged(const std::string& frame, u64 expected_size, const std::string& part = "") {
    expect_error(ErrorKind::corrupt, "section X is damaged: " + part,
                 [&] { zstd_decompress(frame, expected_size, "section X"); });
}

// Literal frames, as a file may hold them. Header: magic, descriptor, window or content size.
const std::string kMagic = "\x28\xB5\x2F\xFD"s;
// No content size, window 1 KiB, one raw block "abc" that is the last.
const std::string kFrameWithoutSize = kMagic + "\x00\x00"s + "\x19\x00\x00"s + "abc";

TEST(ZstdFrameTest, RoundTripsAllSizesAndLevels) {
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, std::size_t{255}, 256 * std::size_t{1024} - 1,
          256 * std::size_t{1024}, 256 * std::size_t{1024} + 1, 3 * kMiB}) {
        for (const std::string& bytes : {noise(size), text(size), std::string(size, 'z')}) {
            for (const int level : {-5, 1, 3, 9}) {
                const std::string frame = zstd_compress(bytes, level);
                EXPECT_EQ(zstd_decompress(frame, size, "test"), bytes) << size << '/' << level;
            }
        }
    }
}

TEST(ZstdFrameTest, FramesOfOneDictionaryDoNotDependOnThoseBefore) {
    const std::string bytes = text(16384);
    const ZstdDictionary shared(bytes);
    for (const std::size_t size : {std::size_t{0}, std::size_t{100}, 4096 * std::size_t{50}}) {
        const std::string content = text(size);
        for (const int level : {1, 19, 19, 1}) {
            const ZstdDictionary fresh(bytes);
            const std::string frame = zstd_compress(content, level, &shared);
            EXPECT_EQ(frame, zstd_compress(content, level, &fresh)) << size << '/' << level;
            EXPECT_EQ(zstd_decompress(frame, size, "test", &shared), content);
        }
    }
    EXPECT_LT(zstd_compress(text(4096), 19, &shared).size(), 64U);
}

TEST(ZstdFrameTest, HighestLevelsRoundTripSmallInputs) {
    const std::string bytes = text(20000);
    for (const int level : {19, 22, 1000}) {
        EXPECT_EQ(zstd_decompress(zstd_compress(bytes, level), bytes.size(), "test"), bytes);
    }
}

TEST(ZstdFrameTest, HasContentSizeAndChecksumAndIsDeterministic) {
    const std::string frame = zstd_compress("abc", 3);
    // Magic, descriptor (one segment, checksum, one byte of size), size, raw block, XXH64 of "abc".
    EXPECT_EQ(frame, kMagic + "\x24\x03"s + "\x19\x00\x00"s + "abc" + "\x99\x09\x77\xAD"s);
    EXPECT_EQ(checksum("abc") & 0xFFFFFFFFU, 0xAD770999U);
    EXPECT_EQ(zstd_compress(text(kMiB), 5), zstd_compress(text(kMiB), 5));
}

TEST(ZstdFrameTest, LongWindowFindsDistantRepetitionsFromLevelNineteenOn) {
    const std::string block = noise(9 * kMiB);
    const std::string frame = zstd_compress(block + block, 19);
    EXPECT_LT(frame.size(), block.size() + block.size() / 100);
    EXPECT_EQ(zstd_decompress(frame, 2 * block.size(), "test"), block + block);
}

TEST(ZstdFrameTest, AcceptsAFrameWithoutContentSizeIfTheSizeIsRight) {
    EXPECT_EQ(zstd_decompress(kFrameWithoutSize, 3, "test"), "abc");
    expect_damaged(kFrameWithoutSize, 2, "it holds more than the expected 2 bytes");
    expect_damaged(kFrameWithoutSize, 4, "it holds 3 bytes instead of the expected 4");
    expect_damaged(kFrameWithoutSize, 0, "it holds more than the expected 0 bytes");
}

TEST(ZstdFrameTest, RejectsWhatIsNotAFrame) {
    expect_damaged("", 0, "it is not a zstd frame");
    expect_damaged("abc", 3, "it is not a zstd frame");
    expect_damaged(noise(1000), 1000, "it is not a zstd frame");
    expect_damaged(kMagic, 0, "its zstd frame header is not valid");
    // A skippable frame is empty for zstd.
    expect_damaged("\x50\x2A\x4D\x18\x00\x00\x00\x00"s, 0, "it is not a zstd frame");
}

TEST(ZstdFrameTest, RejectsAWrongExpectedSize) {
    const std::string bytes = text(1000);
    const std::string frame = zstd_compress(bytes, 3);
    for (const u64 size : {u64{0}, u64{999}, u64{1001}, u64{1} << 40U, ~u64{0}}) {
        expect_damaged(frame, size, "its zstd frame of ");
    }
}

TEST(ZstdFrameTest, ALyingHeaderDoesNotCostMemory) {
    // One segment, eight bytes of content size: a TiB is promised by both header and caller.
    const std::string tebibyte = "\x00\x00\x00\x00\x00\x01\x00\x00"s;
    expect_damaged(kMagic + "\xE0"s + tebibyte + "\x19\x00\x00"s + "abc", u64{1} << 40U,
                   "its zstd frame of 19 bytes does not hold the expected 1099511627776 bytes");
    // 100,000 bytes are promised, which could be true for such a frame, but 3 come.
    expect_damaged(kMagic + "\xA0\xA0\x86\x01\x00"s + "\x19\x00\x00"s + "abc", 100000);
    // 3 bytes are promised, but a block repeats one byte 100,000 times.
    expect_damaged(kMagic + "\x20\x03"s + "\x03\x35\x0C"s + "z", 3);
    expect_damaged(kMagic + "\x00\x58"s + "\x03\x35\x0C"s + "z", 99999, "it holds more than");
    EXPECT_EQ(zstd_decompress(kMagic + "\x00\x58"s + "\x03\x35\x0C"s + "z", 100000, "test"),
              std::string(100000, 'z'));
}

TEST(ZstdFrameTest, RejectsWindowsAboveTheLimit) {
    // Window descriptor 0x88: 2^27 bytes; 0x90: 2^28 bytes.
    EXPECT_EQ(zstd_decompress(kMagic + "\x00\x88\x19\x00\x00"s + "abc", 3, "test"), "abc");
    expect_damaged(kMagic + "\x00\x90\x19\x00\x00"s + "abc", 3);
}

TEST(ZstdFrameTest, RejectsEveryTruncation) {
    for (const std::string& bytes : {std::string("abc"), text(3000), noise(300)}) {
        const std::string frame = zstd_compress(bytes, 3);
        for (std::size_t length = 0; length < frame.size(); ++length) {
            expect_damaged(frame.substr(0, length), bytes.size());
        }
    }
    const std::string large = zstd_compress(noise(kMiB), 1);
    expect_damaged(large.substr(0, large.size() - 1), kMiB, "its zstd frame is truncated");
    expect_damaged(large.substr(0, large.size() / 2), kMiB, "its zstd frame is truncated");
}

TEST(ZstdFrameTest, RejectsWhatFollowsTheFrame) {
    const std::string frame = zstd_compress("abc", 3);
    expect_damaged(frame + "x", 3, "1 bytes follow its zstd frame");
    expect_damaged(frame + frame, 3, std::to_string(frame.size()) + " bytes follow");
    expect_damaged(frame + frame, 6);
    expect_damaged(kFrameWithoutSize + kFrameWithoutSize, 6);
    expect_damaged(frame + "\x50\x2A\x4D\x18\x00\x00\x00\x00"s, 3, "8 bytes follow");
}

TEST(ZstdFrameTest, NoFlippedBitGoesUnnoticed) {
    const std::string bytes = text(2000);
    const std::string frame = zstd_compress(bytes, 3);
    std::size_t refused = 0;
    for (std::size_t bit = 0; bit < 8 * frame.size(); ++bit) {
        std::string damaged = frame;
        damaged[bit / 8] = static_cast<char>(static_cast<u8>(damaged[bit / 8]) ^ (1U << bit % 8));
        try {
            // The format tells decoders to ignore some bits; the content is intact.
            EXPECT_EQ(zstd_decompress(damaged, bytes.size(), "test"), bytes) << "bit " << bit;
        } catch (const Error& error) {
            EXPECT_EQ(error.kind(), ErrorKind::corrupt);
            ++refused;
        }
    }
    EXPECT_GT(refused, 7 * frame.size());
}

}  // namespace
}  // namespace tracefold
