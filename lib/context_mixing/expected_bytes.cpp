// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "context_mixing/expected_bytes.hpp"

#include "context_mixing/logistic.hpp"

#include <algorithm>
#include <bit>

namespace tracefold {

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

/// The byte at index_ of the number, as it is stored.
void ExpectedBytes::expect_byte(u32 predictor) {
    if (!predictors_[predictor].alive) return;
    const u64 number = expected_.number(predictor);
    const u64 left = number >> (7 * index_);
    const u64 seven = (left & 0x7FU) | (left > 0x7F ? 0x80U : 0U);
    predictors_[predictor].byte = static_cast<u8>(field_.one_byte ? number : seven);
}

/// Where in its number the present bit is: the first, second, a later one of the first byte, the
/// same if that byte is not the last one, or a later byte.
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

}  // namespace tracefold
