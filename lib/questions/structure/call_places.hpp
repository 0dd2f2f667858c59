// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/program_steps.hpp"

#include <vector>

namespace tracefold {

/// The steps of a location in which its calls of one kind lie. Memory: the steps with calls.
class CallPlaces {
  public:
    struct InStep {
        u64 step = 0;
        u64 calls = 0;

        bool operator==(const InStep&) const = default;
    };

    /// Adds calls `call` to `call` + `count` - 1 of a location. Preconditions: they follow all
    /// earlier ones; no calls are between two steps. Cost: the steps that contain them.
    void add(const LocationSteps& steps, u64 call, u64 count);

    [[nodiscard]] u64 before() const { return before_; }  ///< the first step
    [[nodiscard]] u64 after() const { return after_; }    ///< the last step
    [[nodiscard]] u64 within() const;
    [[nodiscard]] u64 calls() const { return before_ + within() + after_; }
    /// The steps with calls, ascending.
    [[nodiscard]] const std::vector<InStep>& steps() const { return in_; }
    /// N, if every N-th of `count` steps has calls, all equally many: the gaps between steps with
    /// calls are N, and fewer than N steps precede the first or follow the last of them. 0
    /// otherwise. Two such steps show no period, unless they are all steps.
    [[nodiscard]] u64 period(u64 count) const;

    bool operator==(const CallPlaces&) const = default;

  private:
    void add_to(u64 step, u64 calls);

    u64 before_ = 0;
    u64 after_ = 0;
    std::vector<InStep> in_;
};

}  // namespace tracefold
