// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/byte_history.hpp"

#include "core/hash.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t index(FieldRole role) { return static_cast<std::size_t>(role); }

}  // namespace

ByteHistory::ByteHistory() : places_(std::size_t{1} << kMatchBits) {}

std::array<u32, ByteHistory::kContexts> ByteHistory::contexts(CodedField field) const {
    const u64 role = index(field.role);
    const u64 in_part = role << 8U | field.part;
    const auto& same_role = by_role_[role];
    const u64 two = byte(1) | byte(2) << 8U;
    const u64 four = two | byte(3) << 16U | byte(4) << 24U;
    const std::array<u64, kContexts> known{
        in_part,
        role | two << 8U,
        four,
        mix(role << 8U | same_role[0]) ^ same_role[1],
        mix(in_part) + byte(1),
        mix(role << 8U | index(last_role_)) + byte(1),
        mix(role) + byte(2),
    };
    std::array<u32, kContexts> hashes{};
    for (u32 i = 0; i < kContexts; ++i) {
        hashes[i] = static_cast<u32>(mix(mix(known[i]) + i) >> 32U);
    }
    return hashes;
}

void ByteHistory::add(u8 byte, CodedField field) {
    if (match_length_ != 0 && expected() != byte) match_length_ = 0;
    bytes_.push_back(static_cast<char>(byte));
    last_role_ = field.role;
    auto& last = by_role_[index(field.role)];
    last = {byte, last[0]};
    look_for_match();
}

void ByteHistory::look_for_match() {
    if (match_length_ != 0) {
        ++match_;
        match_length_ = std::min(match_length_ + 1, kMaxMatch);
    }
    if (bytes_.size() < kMinMatch) return;
    const u64 three = byte(1) | byte(2) << 8U | byte(3) << 16U;
    u32& place = places_[mix(three) >> (64 - kMatchBits)];
    if (match_length_ == 0 && place != 0) {
        match_ = place;
        while (match_length_ < kMaxMatch && match_length_ < match_ &&
               bytes_[match_ - match_length_ - 1] == bytes_[bytes_.size() - match_length_ - 1]) {
            ++match_length_;
        }
    }
    place = static_cast<u32>(bytes_.size());
}

}  // namespace tracefold
