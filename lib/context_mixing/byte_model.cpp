// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "context_mixing/byte_model.hpp"

#include "context_mixing/store_together.hpp"

#include <algorithm>
#include <bit>

namespace tracefold {

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

/// 2 to the power of this are enough cells for a context.
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

/// Those that the next bit is predicted with.
void ByteModel::find_cells() {
    ContextCells::Lanes<u32> hashes{};
    for (u32 i = 0; i < kContexts; ++i) {
        hashes[i] = (hashes_[i] ^ node_ * 0x9E3779B1U) * 0x2C1B3C6DU;
    }
    found_ = cells_.find(hashes);
}

void ByteModel::predict_contexts() {
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
    // Other inputs, which are there already, are in the same vector as the last two contexts.
    std::int16_t* const last = &inputs_[2 * kInWholeVectors];
    store_together(last, logits[8], trusted[8], logits[9], trusted[9], last[4], last[5], last[6],
                   last[7]);
    current_ = cells;
}

/// The match counts until it is wrong.
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

/// The mean of three mixers, which select their weights by different aspects of the situation.
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
    predict_contexts();  // last, since their cells are on their way from the memory
    return mix_inputs();
}

void ByteModel::update(bool bit) {
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
