// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "file/context_mixing/context_cells.hpp"
#include "file/format/item_codec.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

namespace tracefold {

/// The bytes of a section so far, and what of them may say something about the next one.
class ByteHistory {
  public:
    static constexpr u32 kContexts = 10;

    ByteHistory();

    /// Hashes of what is known about byte `index` of a number: the same hashes stand for the same
    /// knowledge, each in a context of its own.
    [[nodiscard]] std::array<u32, kContexts> contexts(CodedField field, u32 index,
                                                      u64 expected) const;

    /// The byte that followed when the last bytes were like now, and for how many bytes they were
    /// (up to kMaxMatch), 0 if they never were.
    [[nodiscard]] u8 expected() const { return static_cast<u8>(bytes_[match_]); }
    [[nodiscard]] u32 match_length() const { return match_length_; }
    static constexpr u32 kMaxMatch = 31;

    void add(u8 byte, CodedField field);
    /// The number of which bytes were added is complete.
    void end_number(CodedField field) { last_role_ = field.role; }

    /// Hands what was learnt to a ModelStateWriter or ModelStateReader.
    template <class Self, class State>
    static void each_part(Self& self, State& state) {
        state(self.bytes_);
        state(self.last_role_);
        state(self.by_role_);
        state(self.by_place_);
        state(self.places_);
        state(self.match_);
        state(self.match_length_);
    }

  private:
    static constexpr u32 kMinMatch = 3;
    static constexpr u32 kMatchBits = 14;

    /// The byte `age` places ago, 0 before the first one.
    [[nodiscard]] u64 byte(std::size_t age) const {
        return age <= bytes_.size() ? static_cast<u8>(bytes_[bytes_.size() - age]) : 0;
    }
    void look_for_match();

    std::string bytes_;
    FieldRole last_role_ = FieldRole::location_count;       ///< of the last number
    std::array<std::array<u8, 2>, kFieldRoles> by_role_{};  ///< the last bytes of a role
    std::vector<std::array<u8, 2>> by_place_;               ///< the last bytes of a place
    std::vector<u32> places_;  ///< where three bytes like these ended last
    u32 match_ = 0;
    u32 match_length_ = 0;
};

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

/// Probabilities on the logistic scale: x stands for 1 / (1 + e^(-x / 256)). squash() and its
/// inverse are squash() and stretch() of Mahoney's lpaq and PAQ8, but with probabilities of 16
/// bits.
inline constexpr int kMaxLogit = 2047;

/// The probability of x, from -2048 on, in 1/65536, never 0 or 1; between 33 exact values by
/// straight lines. Integers only, so that every machine finds the same.
inline constexpr std::array<u16, 4096> kProbabilities = [] {
    constexpr std::array<int, 33> kExact{
        22,    36,    60,    98,    162,   267,   439,   720,   1179,  1921,  3108,
        4971,  7812,  11955, 17625, 24743, 32768, 40793, 47911, 53581, 57724, 60565,
        62428, 63615, 64357, 64816, 65097, 65269, 65374, 65438, 65476, 65500, 65514};
    std::array<u16, 4096> probabilities{};
    for (std::size_t place = 0; place < probabilities.size(); ++place) {
        const std::size_t below = place >> 7U;
        const int part = (kExact[below + 1] - kExact[below]) * static_cast<int>(place & 127U);
        probabilities[place] = static_cast<u16>(kExact[below] + (part >> 7));
    }
    return probabilities;
}();

/// The probability of a number on the logistic scale.
constexpr int squash(int logit) {
    return kProbabilities[static_cast<std::size_t>(std::clamp(logit, -kMaxLogit, kMaxLogit) +
                                                   2048)];
}

/// The inverse: the smallest x whose probability, in 1/4096, is at least `probability`.
inline constexpr std::array<std::int16_t, 4096> kLogits = [] {
    std::array<std::int16_t, 4096> logits{};
    int logit = -kMaxLogit;
    for (int probability = 0; probability < 4096; ++probability) {
        while (logit < kMaxLogit && squash(logit) >> 4 < probability) ++logit;
        logits[static_cast<std::size_t>(probability)] = static_cast<std::int16_t>(logit);
    }
    return logits;
}();

/// Predictions about a bit on the logistic scale; those that are not used are 0.
inline constexpr u32 kMixerLanes = 32;
using MixerInputs = std::array<std::int16_t, kMixerLanes>;

/// Gated logistic mixing as in lpaq and PAQ8: sets of weights, of which the situation selects one,
/// are trained online to reduce coding cost (Mahoney, Adaptive Weighing of Context Models for
/// Lossless Data Compression, 2005). Weights and inputs have 16 bits, so that compilers use
/// vectors.
class MixerSet {
  public:
    explicit MixerSet(u32 sets) : weights_(sets) {
        for (Weights& weights : weights_) weights.fill(kFirst);
    }

    /// The prediction with the weights of this set, on the logistic scale.
    int mix(u32 set, const MixerInputs& inputs) {
        set_ = set;
        const Weights& weights = weights_[set];
        int sum = 0;
        for (u32 i = 0; i < kMixerLanes; ++i) sum += weights[i] * inputs[i];
        const int logit = std::clamp(sum >> kScaleBits, -kMaxLogit, kMaxLogit);
        probability_ = squash(logit);
        return logit;
    }

    /// The bit that came.
    void learn(bool bit, const MixerInputs& inputs) {
        const auto error = static_cast<std::int16_t>(((bit ? 65536 : 0) - probability_) >> 1);
        if (std::abs(error) < kNoError) return;  // all steps would be 0
        Weights& weights = weights_[set_];
        for (u32 i = 0; i < kMixerLanes; ++i) {
            const auto moved = static_cast<std::int16_t>(weights[i] + upper_half(inputs[i], error));
            weights[i] = std::max(kLeast, std::min(kMost, moved));
        }
    }

    /// Hands what was learnt to a ModelStateWriter or ModelStateReader.
    template <class Self, class State>
    static void each_part(Self& self, State& state) {
        state(self.weights_);
    }

  private:
    using Weights = std::array<std::int16_t, kMixerLanes>;

    /// The upper 16 bits of a product, rounded: in two halves, since vectors multiply so.
    static std::int16_t upper_half(std::int16_t one, std::int16_t other) {
        const auto upper = static_cast<std::int16_t>((one * other) >> 16);
        const auto lower = static_cast<u16>(one * other);
        return static_cast<std::int16_t>(upper + (lower >> 15U));
    }

    static constexpr int kScaleBits = 13;  ///< 2^13 is a weight of 1
    static constexpr std::int16_t kFirst = 900;
    static constexpr std::int16_t kLeast = -31000;
    static constexpr std::int16_t kMost = 31000;
    /// Times the largest input it is below half of 2^16.
    static constexpr int kNoError = 32768 / (kMaxLogit + 1);

    std::vector<Weights> weights_;
    u32 set_ = 0;
    int probability_ = 0;
};

/// Predicts the numbers of a section bit by bit, upper bits first (docs/reference/format.md,
/// "Context mixing"): each context has a probability of its own for what comes next, repetitions
/// and expectations say what they would, and mixers weigh them. Integers only: an encoder and a
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
