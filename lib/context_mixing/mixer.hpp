// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "context_mixing/logistic.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <vector>

namespace tracefold {

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

}  // namespace tracefold
