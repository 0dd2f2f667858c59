// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "context_mixing/byte_history.hpp"

#include "core/hash.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t index_of(FieldRole role) { return static_cast<std::size_t>(role); }

}  // namespace

ByteHistory::ByteHistory() : by_place_(kPlaces), places_(std::size_t{1} << kMatchBits) {}

std::array<u32, ByteHistory::kContexts> ByteHistory::contexts(CodedField field, u32 index,
                                                              u64 expected) const {
    const u64 role = index_of(field.role);
    const u64 in_part = role << 8U | field.part;
    const u64 in_place = mix(role << 16U | field.place);
    const u64 after = mix(role << 8U | index_of(last_role_));
    const u64 in_number = u64{index} << 8U | (index == 0 ? 0 : byte(1));
    const auto& same_role = by_role_[role];
    const auto& same_place = by_place_[field.place];
    const std::array<u64, kContexts> known{
        in_part,
        byte(1) | byte(2) << 8U | byte(3) << 16U | byte(4) << 24U,
        mix(role << 8U | same_role[0]) ^ same_role[1],
        after + byte(1),
        mix(role) + byte(2),
        in_place,
        in_place + byte(1),
        mix((role << 16U | field.place) + 1) + same_place[0] + (u64{same_place[1]} << 8U),
        mix(role + (expected << 6U)) + in_number,
        mix(mix(in_part) + index_of(last_role_)) + in_number,
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
    auto& of_role = by_role_[index_of(field.role)];
    of_role = {byte, of_role[0]};
    auto& of_place = by_place_[field.place];
    of_place = {byte, of_place[0]};
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
