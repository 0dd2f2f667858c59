// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/context_mixing/byte_model.hpp"

#include "base/hash.hpp"
#include "file/context_mixing/context_cells.hpp"

#include <algorithm>
#include <bit>

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

namespace {

constexpr u32 kLimit = 60;
constexpr u32 kHistoryMask = 7;

std::size_t role_of(CodedField field) { return static_cast<std::size_t>(field.role); }

}  // namespace

ExpectedBytes::ExpectedBytes()
    : cells_(std::size_t{kFieldRoles} * kPredictors * kHistories * kPositions,
             ProbabilityCell{3U << 20U}) {}

void ExpectedBytes::begin_number(CodedField field, const Expectations& expected) {
    field_ = field;
    expected_ = expected;
    index_ = 0;
    for (u32 i = 0; i < kPredictors; ++i) {
        predictors_[i].alive = expected.has(i);
        expect_byte(i);
    }
}

/// Sets the expected byte at index_ of the number, as stored.
void ExpectedBytes::expect_byte(u32 predictor) {
    if (!predictors_[predictor].alive) return;
    const u64 number = expected_.number(predictor);
    const u64 left = number >> (7 * index_);
    const u64 seven = (left & 0x7FU) | (left > 0x7F ? 0x80U : 0U);
    predictors_[predictor].byte = static_cast<u8>(field_.one_byte ? number : seven);
}

/// The position of the current bit in its number: the first, second, a later one of the first byte,
/// these again if that byte is not the last one, or a later byte.
u32 ExpectedBytes::position(u32 node) const {
    if (index_ != 0) return 3;
    const auto before = static_cast<u32>(std::bit_width(node) - 1);
    const bool more_bytes = before != 0 && (node >> (before - 1) & 1U) != 0;
    return more_bytes ? 4 : std::min(before, 2U);
}

void ExpectedBytes::predict(u32 node, std::int16_t* predictions) {
    const auto left = static_cast<u32>(9 - std::bit_width(node));
    const u32 place = position(node);
    predicting_ = 0;
    for (u32 i = 0; i < kPredictors; ++i) {
        Predictor& predictor = predictors_[i];
        const u32 whole = 0x100U | predictor.byte;
        predictions[i] = 0;
        if (!predictor.alive || whole >> left != node) continue;
        predicting_ |= 1U << i;
        predictor.bit = (whole >> (left - 1) & 1U) != 0;
        const u32 history = histories_[role_of(field_)][i] & kHistoryMask;
        const std::size_t row = (role_of(field_) * kPredictors + i) * kHistories + history;
        predictor.cell = &cells_[row * kPositions + place];
        const std::int16_t trust = kLogits[static_cast<std::size_t>(predictor.cell->probability())];
        predictions[i] = predictor.bit ? trust : static_cast<std::int16_t>(-trust);
    }
}

void ExpectedBytes::learn(bool bit) {
    for (u32 i = 0; i < kPredictors; ++i) {
        const Predictor& predictor = predictors_[i];
        if ((predicting_ >> i & 1U) != 0) predictor.cell->learn(bit == predictor.bit, kLimit);
    }
}

void ExpectedBytes::end_byte(u8 byte) {
    ++index_;
    for (u32 i = 0; i < kPredictors; ++i) {
        predictors_[i].alive = predictors_[i].alive && predictors_[i].byte == byte;
        expect_byte(i);
    }
}

void ExpectedBytes::end_number() {
    auto& histories = histories_[role_of(field_)];
    for (u32 i = 0; i < kPredictors; ++i) {
        if (!expected_.has(i)) continue;
        histories[i] = static_cast<u8>(histories[i] << 1U | (predictors_[i].alive ? 1U : 0U));
    }
}

namespace {

constexpr std::size_t kCellsPerByte = 8;
constexpr std::size_t kSampleSize = 2048;
constexpr u32 kMinBits = 16;
constexpr u32 kMatchClasses = 4;
constexpr u32 kBitsOfByte = 8;
constexpr u32 kNodes = 32;
constexpr u32 kEndOfByte = 256;  ///< nodes from here on are whole bytes
constexpr std::int16_t kBias = 80;
constexpr u32 kTrusted = 12;
constexpr u32 kMatchLimit = 255;

/// Returns the bits of a sufficient number of cells per context.
u32 cell_bits(std::size_t size) {
    const auto bits = static_cast<u32>(std::bit_width((size + kSampleSize) * kCellsPerByte));
    return std::clamp(bits, kMinBits, ContextCells::kMaxBits);
}

}  // namespace

ByteModel::ByteModel(std::size_t size)
    : cells_(cell_bits(size)),
      by_match_(kMatchClasses * kFieldRoles),
      by_predictors_((1U << Expectations::kSize) * kBitsOfByte),
      by_node_(kFieldRoles * kNodes) {
    match_cells_.fill(ProbabilityCell{3U << 20U});
    inputs_[kBiasInput] = kBias;
}

template <class Model, class State>
void ByteModel::each_part(Model& model, State& state) {
    ByteHistory::each_part(model.history_, state);
    ExpectedBytes::each_part(model.expected_, state);
    state(model.match_cells_);
    for (auto* mixer : {&model.by_match_, &model.by_predictors_, &model.by_node_}) {
        MixerSet::each_part(*mixer, state);
    }
}

void ByteModel::save(ModelStateWriter& state) const {
    each_part(*this, state);
    cells_.save(state);
}

void ByteModel::load(ModelStateReader& state) {
    each_part(*this, state);
    cells_.load(state);
}

void ByteModel::begin_number(CodedField field, const Expectations& expected) {
    field_ = field;
    index_ = 0;
    expected_code_ = expected.code(0);
    expected_.begin_number(field, expected);
}

void ByteModel::begin_byte() {
    hashes_ = history_.contexts(field_, index_, expected_code_);
    node_ = 1;
    matching_ = history_.match_length() != 0;
    find_cells();
}

// Three functions are compiled without protection of the stack, which takes 1 % of compressing:
// they have arrays of fixed sizes only.

/// Finds the cells that predict the next bit.
__attribute__((no_stack_protector)) void ByteModel::find_cells() {
    ContextCells::Lanes<u32> hashes{};
    for (u32 i = 0; i < kContexts; ++i) {
        hashes[i] = (hashes_[i] ^ node_ * 0x9E3779B1U) * 0x2C1B3C6DU;
    }
    found_ = cells_.find(hashes);
}

__attribute__((no_stack_protector)) void ByteModel::predict_contexts() {
    const ContextCells::Lanes<ContextCells::Cell> cells = cells_.read(found_);
    ContextCells::Lanes<std::int16_t> logits;
    ContextCells::Lanes<std::int16_t> trusted;
    for (u32 i = 0; i < ContextCells::kLanes; ++i) {
        const auto trust = static_cast<std::int16_t>(std::min(cells[i].count(), kTrusted));
        const auto far = static_cast<std::int16_t>(cells[i].probability() - 2048);
        trusted[i] = static_cast<std::int16_t>(static_cast<std::int16_t>(far * trust) >> 6);
    }
    for (u32 i = 0; i < ContextCells::kLanes; ++i) {
        logits[i] = kLogits[static_cast<std::size_t>(cells[i].probability())];
    }
    static_assert(kContexts == 10);
    constexpr std::size_t kInWholeVectors = 8;
    for (std::size_t i = 0; i < kInWholeVectors; ++i) {
        inputs_[2 * i] = logits[i];
        inputs_[2 * i + 1] = trusted[i];
    }
    // The vector of the last two contexts also holds other inputs: keeps them.
    std::int16_t* const last = &inputs_[2 * kInWholeVectors];
    store_together(last, logits[8], trusted[8], logits[9], trusted[9], last[4], last[5], last[6],
                   last[7]);
    current_ = cells;
}

/// A match predicts until it fails.
void ByteModel::predict_match() {
    inputs_[kMatchInput] = 0;
    if (!matching_) return;
    const u32 expected = history_.expected() | 0x100U;
    const auto left = static_cast<u32>(9 - std::bit_width(node_));
    matching_ = expected >> left == node_;
    if (!matching_) return;
    match_bit_ = (expected >> (left - 1) & 1U) != 0;
    const ProbabilityCell& known = match_cells_[history_.match_length()];
    const std::int16_t trust = kLogits[static_cast<std::size_t>(known.probability())];
    inputs_[kMatchInput] = match_bit_ ? trust : static_cast<std::int16_t>(-trust);
}

/// Averages three mixers, which select their weights by different contexts.
u32 ByteModel::mix_inputs() {
    const auto role = static_cast<u32>(field_.role);
    const u32 length = matching_ ? std::min(history_.match_length(), kMatchClasses - 1) : 0;
    const auto position = static_cast<u32>(std::bit_width(node_) - 1);
    const int sum = by_match_.mix(length * kFieldRoles + role, inputs_) +
                    by_predictors_.mix(expected_.predicting() * kBitsOfByte + position, inputs_) +
                    by_node_.mix(role * kNodes + (node_ < kNodes ? node_ : 0), inputs_);
    return static_cast<u32>(squash(sum * 171 >> 9));
}

u32 ByteModel::predict() {
    predict_match();
    expected_.predict(node_, &inputs_[kExpectedInputs]);
    predict_contexts();  // last: gives the prefetched cells time to arrive
    return mix_inputs();
}

__attribute__((no_stack_protector)) void ByteModel::update(bool bit) {
    ContextCells::learn(current_, bit);
    cells_.write(found_, current_);
    node_ = node_ << 1U | (bit ? 1U : 0U);
    if (node_ < kEndOfByte) find_cells();
    for (MixerSet* mixer : {&by_match_, &by_predictors_, &by_node_}) mixer->learn(bit, inputs_);
    if (matching_) match_cells_[history_.match_length()].learn(bit == match_bit_, kMatchLimit);
    expected_.learn(bit);
}

u8 ByteModel::end_byte() {
    const u8 byte = static_cast<u8>(node_);
    history_.add(byte, field_);
    expected_.end_byte(byte);
    ++index_;
    return byte;
}

void ByteModel::end_number() {
    history_.end_number(field_);
    expected_.end_number();
}

}  // namespace tracefold
