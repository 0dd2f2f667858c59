// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "context_mixing/probability_cell.hpp"
#include "format/coded_field.hpp"

#include <array>
#include <vector>

namespace tracefold {

/// Expectations of a number, bit by bit, each trusted as far as it was right before.
class ExpectedBytes {
  public:
    ExpectedBytes();

    void begin_number(CodedField field, const Expectations& expected);
    /// Writes an prediction for each predictor on the logistic scale, 0 where there is none. `node`
    /// are the bits of the byte so far after a leading 1.
    void predict(u32 node, std::int16_t* predictions);
    /// Which predictors have an prediction of the present bit, a bit for each.
    [[nodiscard]] u32 predicting() const { return predicting_; }
    void learn(bool bit);
    void end_byte(u8 byte);
    void end_number();

    /// Hands what was learnt to a ModelStateWriter or ModelStateReader.
    template <class Self, class State>
    static void each_part(Self& self, State& state) {
        state(self.cells_);
        state(self.histories_);
    }

  private:
    static constexpr u32 kPredictors = Expectations::kSize;
    static constexpr u32 kHistories = 8;  ///< whether a predictor was right the last three times
    static constexpr u32 kPositions = 5;

    struct Predictor {
        bool alive = false;  ///< all bytes so far were as expected
        bool bit = false;    ///< what it was
        u8 byte = 0;         ///< the byte that it expects now
        ProbabilityCell* cell = nullptr;
    };

    void expect_byte(u32 predictor);
    [[nodiscard]] u32 position(u32 node) const;

    std::vector<ProbabilityCell> cells_;  ///< by role, predictor, history, position in the byte
    std::array<std::array<u8, kPredictors>, kFieldRoles> histories_{};
    std::array<Predictor, kPredictors> predictors_;
    CodedField field_;
    Expectations expected_;
    u32 index_ = 0;
    u32 predicting_ = 0;
};

}  // namespace tracefold
