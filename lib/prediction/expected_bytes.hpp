// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/coded_field.hpp"
#include "prediction/chance_cell.hpp"

#include <array>
#include <vector>

namespace tracefold {

/// Expectations of a number, bit by bit, each trusted as far as it was right before.
class ExpectedBytes {
  public:
    ExpectedBytes();

    void begin_number(CodedField field, const Expectations& expected);
    /// Writes an opinion for each reason on the logistic scale, 0 where there is none. `node` are
    /// the bits of the byte so far after a leading 1.
    void predict(u32 node, std::int16_t* opinions);
    /// Which reasons have an opinion of the present bit, a bit for each.
    [[nodiscard]] u32 said() const { return said_; }
    void learn(bool bit);
    void end_byte(u8 byte);
    void end_number();

    /// Hands what was learnt to a ModelStateWriter or ModelStateReader.
    template <class Self, class State>
    static void each_part(Self& self, State& state) {
        state(self.cells_);
        state(self.pasts_);
    }

  private:
    static constexpr u32 kReasons = Expectations::kSize;
    static constexpr u32 kPasts = 8;  ///< whether a reason was right the last three times
    static constexpr u32 kPositions = 5;

    struct Reason {
        bool alive = false;  ///< all bytes so far were as expected
        bool bit = false;    ///< what it was
        u8 byte = 0;         ///< the byte that it expects now
        ChanceCell* cell = nullptr;
    };

    void expect_byte(u32 reason);
    [[nodiscard]] u32 position(u32 node) const;

    std::vector<ChanceCell> cells_;  ///< by role, reason, past, position in the byte
    std::array<std::array<u8, kReasons>, kFieldRoles> pasts_{};
    std::array<Reason, kReasons> reasons_;
    CodedField field_;
    Expectations expected_;
    u32 index_ = 0;
    u32 said_ = 0;
};

}  // namespace tracefold
