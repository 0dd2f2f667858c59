// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/cubex_archive.hpp"

#include "base/bytes.hpp"
#include "base/error.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u64 kMostBytes = u64{1} << 33U;

void put_octal(std::string& block, std::size_t at, std::size_t digits, u64 value) {
    for (std::size_t i = digits; i-- > 0; value /= 8) {
        block[at + i] = static_cast<char>('0' + value % 8);
    }
}

/// Header block of a file in a POSIX archive (ustar).
std::string member_head(const std::string& name, u64 size) {
    std::string block(kTarBlock, '\0');
    std::copy(name.begin(), name.end(), block.begin());
    put_octal(block, 100, 7, 0644);
    put_octal(block, 108, 7, 0);
    put_octal(block, 116, 7, 0);
    put_octal(block, 124, 11, size);
    put_octal(block, 136, 11, 0);
    block[156] = '0';
    const std::string_view magic(
        "ustar\0"
        "00",
        8);
    std::copy(magic.begin(), magic.end(), block.begin() + 257);
    std::fill_n(block.begin() + 148, 8, ' ');
    u64 sum = 0;
    for (const char c : block) sum += static_cast<u8>(c);
    put_octal(block, 148, 6, sum);
    block[154] = '\0';
    return block;
}

std::string index_of_rows(std::span<const u32> rows) {
    ByteWriter out;
    out.put_bytes(kCubexIndex);
    out.put_u32le(1);  // little endian
    out.put_bytes(std::string_view("\0\0", 2));
    out.put_u8(1);
    out.put_u32le(static_cast<u32>(rows.size()));
    for (const u32 row : rows) out.put_u32le(row);
    return out.take();
}

}  // namespace

CubexArchive::CubexArchive(const std::string& path, bool force, u64 nodes, u64 row_bytes)
    : out_(path, force) {
    const u64 size = kCubexData.size() + nodes * row_bytes;
    if (size < kMostBytes) return;
    throw Error(ErrorKind::unsupported,
                "{}: a metric of this profile has {} bytes, and the format of Cube has room for 8 "
                "GiB; select ranks",
                path, size);
}

u64 CubexArchive::reserve_rows(std::span<const u32> rows, u64 row_bytes) {
    const std::string name = std::to_string(stored_++);
    write_member(name + ".index", index_of_rows(rows));
    const u64 at = reserve_member(name + ".data", kCubexData.size() + rows.size() * row_bytes);
    out_.write_at(at, kCubexData);
    return at + kCubexData.size();
}

u64 CubexArchive::reserve_member(const std::string& name, u64 size) {
    out_.write_at(end_, member_head(name, size));
    const u64 at = end_ + kTarBlock;
    end_ = at + padded_tar_size(size);
    return at;
}

void CubexArchive::write_member(const std::string& name, std::string_view bytes) {
    const u64 at = reserve_member(name, bytes.size());
    out_.write_at(at, bytes);
}

void CubexArchive::write_anchor(std::string_view text) {
    write_member("anchor.xml", text);
    out_.write_at(end_, std::string(2 * kTarBlock, '\0'));
}

}  // namespace tracefold
