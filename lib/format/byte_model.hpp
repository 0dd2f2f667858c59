// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/byte_history.hpp"

#include <array>
#include <vector>

namespace tracefold {

/// Predicts a structure bit by bit, upper bits first: each context has a chance of its own for what
/// comes next, and a network of one neuron per role weighs them by what they were worth so far
/// ("context mixing": Mahoney, Adaptive Weighing of Context Models for Lossless Data Compression,
/// 2005). Integers only: an encoder and a decoder on any two machines agree. Cost: some 15 steps
/// per bit; memory: 16 to 32 cells per byte and context, 7 MiB at most.
class ByteModel {
  public:
    /// For a stream of `size` bytes.
    explicit ByteModel(std::size_t size);

    /// Begins a byte, whose eight bits follow: each is predicted, then told.
    void begin(CodedField field);
    /// The chance that the next bit is 1, in 1/65536; neither 0 nor 1.
    u32 predict();
    /// The bit that was predicted. The eighth ends the byte.
    void update(bool bit);
    /// The byte that was completed last.
    [[nodiscard]] u8 last_byte() const { return static_cast<u8>(node_); }

  private:
    static constexpr u32 kContexts = ByteHistory::kContexts;
    static constexpr u32 kInputs = 2 * kContexts + 2;

    /// A chance of a 1 (upper 22 bits) and how many bits it was learnt from (lower 10).
    struct Cell {
        u32 packed = u32{1} << 31U;

        [[nodiscard]] int chance() const { return static_cast<int>(packed >> 20U); }  ///< 12 bits
        [[nodiscard]] u32 count() const { return packed & 0x3FFU; }
        void learn(bool bit, u32 limit);
    };

    [[nodiscard]] Cell& cell(u32 context);
    void predict_match();

    ByteHistory history_;
    u32 bits_;                 ///< cells of a context: 2 to the power of this
    std::vector<Cell> cells_;  ///< context by context
    std::array<Cell, ByteHistory::kMaxMatch + 1> match_cells_;  ///< that the match is right
    std::vector<std::array<int, kInputs>> weights_;             ///< by match length, role

    CodedField field_;
    std::array<u32, kContexts> hashes_{};
    u32 node_ = 1;  ///< the bits of the byte so far, after a leading 1
    std::array<Cell*, kContexts> current_{};
    std::array<int, kInputs> inputs_{};
    std::array<int, kInputs>* mixer_ = nullptr;
    bool matching_ = false;  ///< what the match says of the next bit
    bool match_bit_ = false;
    u32 chance_ = 0;
};

}  // namespace tracefold
