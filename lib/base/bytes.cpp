// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/bytes.hpp"

#include "base/error.hpp"

namespace tracefold {

void ByteReader::fail_at(std::size_t position, const std::string& what) const {
    throw Error(ErrorKind::corrupt, "{} is damaged at byte {}: {}", name_, position, what);
}

void ByteReader::fail_overrun(u64 wanted) const {
    fail(
        fmt::format("it ends too early, {} bytes are needed and {} are left", wanted, remaining()));
}

void ByteReader::fail_count(std::size_t start, u64 count, u64 min_bytes_per_item) const {
    fail_at(start, fmt::format("{} items of at least {} bytes do not fit into the {} bytes left",
                               count, min_bytes_per_item, remaining()));
}

void ByteReader::fail_varint(std::size_t start, u8 last) const {
    fail_at(start, last < 0x80 ? "a number does not fit into 64 bits"
                               : "a number is longer than 10 bytes");
}

void ByteReader::fail_u32(std::size_t start, u64 value) const {
    fail_at(start, std::to_string(value) + " does not fit into 32 bits");
}

}  // namespace tracefold
