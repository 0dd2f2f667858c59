// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/byte_model.hpp"

#include "format/logistic.hpp"

#include <algorithm>
#include <bit>

namespace tracefold {

namespace {

constexpr std::size_t kCellsPerByte = 16;
constexpr u32 kMinBits = 12;
constexpr u32 kMaxBits = 18;
constexpr u32 kLongestMatchClass = 3;
constexpr int kFirstWeight = 10000;
constexpr i64 kMaxWeight = i64{1} << 22;
constexpr int kBias = 80;
constexpr i64 kLearningRate = 12;
constexpr u32 kTrusted = 12;
constexpr u32 kLimit = 30;
constexpr u32 kMatchLimit = 255;
constexpr i64 kLeastChance = 64;
constexpr i64 kWholeChance = i64{1} << 22;

u32 cell_bits(std::size_t size) {
    const auto bits = static_cast<u32>(std::bit_width(size * kCellsPerByte));
    return std::clamp(bits, kMinBits, kMaxBits);
}

}  // namespace

/// The n-th bit moves the chance by 1 / (n + 1.6) of the way.
void ByteModel::Cell::learn(bool bit, u32 limit) {
    const u32 known = count();
    const i64 rate = 655360 / (10 * i64{known} + 16);
    i64 chance = packed >> 10U;
    chance += ((bit ? kWholeChance : 0) - chance) * rate >> 16;
    chance = std::clamp(chance, kLeastChance, kWholeChance - kLeastChance);
    packed = static_cast<u32>(chance) << 10U | std::min(known + 1, limit);
}

ByteModel::ByteModel(std::size_t size)
    : bits_(cell_bits(size)),
      cells_(std::size_t{kContexts} << bits_),
      weights_(std::size_t{kLongestMatchClass + 1} * kFieldRoles) {
    match_cells_.fill(Cell{u32{3} << 30U});
    for (auto& weights : weights_) weights.fill(kFirstWeight);
}

void ByteModel::begin(CodedField field) {
    field_ = field;
    hashes_ = history_.contexts(field);
    node_ = 1;
    matching_ = history_.match_length() != 0;
}

ByteModel::Cell& ByteModel::cell(u32 context) {
    const u32 place = (hashes_[context] ^ node_ * 0x9E3779B1U) >> (32 - bits_);
    return cells_[(std::size_t{context} << bits_) + place];
}

/// The match counts until it is wrong.
void ByteModel::predict_match() {
    const u32 expected = history_.expected() | 0x100U;
    const auto left = static_cast<u32>(9 - std::bit_width(node_));
    matching_ = matching_ && expected >> left == node_;
    const u32 length = matching_ ? history_.match_length() : 0;
    inputs_[2 * kContexts] = 0;
    if (matching_) {
        match_bit_ = (expected >> (left - 1) & 1U) != 0;
        const int logit = kLogits[static_cast<std::size_t>(match_cells_[length].chance())];
        inputs_[2 * kContexts] = match_bit_ ? logit : -logit;
    }
    const u32 row = std::min(length, kLongestMatchClass) * kFieldRoles;
    mixer_ = &weights_[row + static_cast<u32>(field_.role)];
}

u32 ByteModel::predict() {
    for (u32 i = 0; i < kContexts; ++i) {
        Cell& known = *(current_[i] = &cell(i));
        const int chance = known.chance();
        const int trust = static_cast<int>(std::min(known.count(), kTrusted));
        inputs_[2 * i] = trust == 0 ? 0 : kLogits[static_cast<std::size_t>(chance)];
        inputs_[2 * i + 1] = (chance - 2048) * trust >> 6;
    }
    predict_match();
    inputs_[kInputs - 1] = kBias;
    i64 sum = 0;
    for (u32 i = 0; i < kInputs; ++i) sum += i64{(*mixer_)[i]} * inputs_[i];
    chance_ = static_cast<u32>(squash(static_cast<int>(std::clamp<i64>(sum >> 16, -4096, 4096))));
    return chance_;
}

void ByteModel::update(bool bit) {
    const i64 error = (bit ? 65536 : 0) - i64{chance_};
    for (u32 i = 0; i < kInputs; ++i) {
        const i64 weight = (*mixer_)[i] + (inputs_[i] * error * kLearningRate >> 18);
        (*mixer_)[i] = static_cast<int>(std::clamp(weight, -kMaxWeight, kMaxWeight));
    }
    for (Cell* known : current_) known->learn(bit, kLimit);
    if (matching_) {
        match_cells_[history_.match_length()].learn(bit == match_bit_, kMatchLimit);
    }
    node_ = node_ << 1U | (bit ? 1U : 0U);
    if (node_ >= 0x100) history_.add(static_cast<u8>(node_), field_);
}

}  // namespace tracefold
