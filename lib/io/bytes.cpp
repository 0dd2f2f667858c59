// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/bytes.hpp"

#include "core/error.hpp"

namespace tracefold {

void ByteReader::fail_at(std::size_t position, const std::string& what) const {
    throw Error(ErrorKind::corrupt,
                name_ + " is damaged at byte " + std::to_string(position) + ": " + what);
}

void ByteReader::fail_overrun(u64 wanted) const {
    fail("it ends too early, " + std::to_string(wanted) + " bytes are needed and " +
         std::to_string(remaining()) + " are left");
}

void ByteReader::fail_count(std::size_t start, u64 count, u64 min_bytes_per_item) const {
    fail_at(start, std::to_string(count) + " items of at least " +
                       std::to_string(min_bytes_per_item) + " bytes do not fit into the " +
                       std::to_string(remaining()) + " bytes left");
}

void ByteReader::fail_varint(std::size_t start, u8 last) const {
    fail_at(start, last < 0x80 ? "a number does not fit into 64 bits"
                               : "a number is longer than 10 bytes");
}

void ByteReader::fail_u32(std::size_t start, u64 value) const {
    fail_at(start, std::to_string(value) + " does not fit into 32 bits");
}

}  // namespace tracefold
