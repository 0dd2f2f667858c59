// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "context_mixing/byte_history.hpp"
#include "context_mixing/context_cells.hpp"
#include "context_mixing/expected_bytes.hpp"
#include "context_mixing/mixer.hpp"

#include <array>

namespace tracefold {

/// Predicts the numbers of a section bit by bit, upper bits first (docs/format.md, "Context
/// mixing"): each context has a probability of its own for what comes next, repetitions and
/// expectations say what they would, and mixers weigh them. Integers only: an encoder and a
/// decoder on any two machines agree. Cost: some 1,100 instructions per bit; memory: 10 times 8
/// cells per byte, 2.6 to 10.5 MB.
class ByteModel {
  public:
    /// Sections from here on have the same number of cells.
    static constexpr std::size_t kMaxCells = std::size_t{1} << 18U;

    /// For sections of `size` bytes.
    explicit ByteModel(std::size_t size);

    /// What was learnt so far. Precondition: the model is one for kMaxCells.
    void save(ModelStateWriter& state) const;
    /// Makes a new model one that has learnt this.
    void load(ModelStateReader& state);

    /// Begins a number, whose bytes follow.
    void begin_number(CodedField field, const Expectations& expected);
    /// Begins a byte, whose eight bits follow: each is predicted, then told.
    void begin_byte();
    /// The probability that the next bit is 1, in 1/65536; neither 0 nor 1.
    u32 predict();
    /// The bit that was predicted.
    void update(bool bit);
    /// The eight bits were told; returns the byte.
    u8 end_byte();
    void end_number();

  private:
    static constexpr u32 kContexts = ByteHistory::kContexts;
    static_assert(kContexts == ContextCells::kContexts);
    static constexpr u32 kMatchInput = 2 * kContexts;
    static constexpr u32 kExpectedInputs = kMatchInput + 1;
    static constexpr u32 kBiasInput = kExpectedInputs + Expectations::kSize;
    static_assert(kBiasInput < kMixerLanes);

    template <class Model, class State>
    static void each_part(Model& model, State& state);
    void find_cells();
    void predict_contexts();
    void predict_match();
    [[nodiscard]] u32 mix_inputs();

    ByteHistory history_;
    ExpectedBytes expected_;
    ContextCells cells_;
    std::array<ProbabilityCell, ByteHistory::kMaxMatch + 1>
        match_cells_;         ///< that the match is right
    MixerSet by_match_;       ///< by match length and role
    MixerSet by_predictors_;  ///< by the predictors with an prediction and the position of the bit
    MixerSet by_node_;        ///< by role and bits of the byte so far

    CodedField field_;
    u64 expected_code_ = 0;
    u32 index_ = 0;  ///< of the byte in its number
    std::array<u32, kContexts> hashes_{};
    u32 node_ = 1;  ///< the bits of the byte so far, after a leading 1
    ContextCells::Places found_{};
    ContextCells::Lanes<ContextCells::Cell> current_{};
    MixerInputs inputs_{};
    bool matching_ = false;  ///< what the match says of the next bit
    bool match_bit_ = false;
};

}  // namespace tracefold
