// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <vector>

namespace tracefold {

/// A sequence of small numbers, in runs of equal ones. Memory: the runs.
class StateRuns {
  public:
    struct Run {
        u64 count = 0;
        u8 state = 0;
    };

    void append(u8 state, u64 count = 1) {
        if (count == 0) return;
        size_ += count;
        if (!runs_.empty() && runs_.back().state == state) {
            runs_.back().count += count;
        } else {
            runs_.push_back({count, state});
        }
    }

    /// Changes one; cost: the runs behind it. Precondition: index < size().
    void set(u64 index, u8 state) {
        u64 begin = size_;
        std::size_t run = runs_.size();
        while (begin > index) begin -= runs_[--run].count;
        if (runs_[run].state == state) return;
        const std::vector<Run> rest(runs_.begin() + static_cast<std::ptrdiff_t>(run), runs_.end());
        runs_.resize(run);
        size_ = begin;
        append(rest[0].state, index - begin);
        append(state);
        append(rest[0].state, rest[0].count - (size_ - begin));
        for (std::size_t i = 1; i < rest.size(); ++i) append(rest[i].state, rest[i].count);
    }

    [[nodiscard]] u64 size() const { return size_; }
    [[nodiscard]] const std::vector<Run>& runs() const { return runs_; }

  private:
    std::vector<Run> runs_;
    u64 size_ = 0;
};

/// Reads a sequence from its begin on; the sequence must not change.
class StateCursor {
  public:
    StateCursor() = default;
    explicit StateCursor(const StateRuns& states) : runs_(&states.runs()) {}

    [[nodiscard]] bool at_end() const { return runs_ == nullptr || run_ == runs_->size(); }
    /// Preconditions of what follows: not at_end().
    [[nodiscard]] u8 state() const { return (*runs_)[run_].state; }
    /// How many, from here on, are equal.
    [[nodiscard]] u64 left() const { return (*runs_)[run_].count - used_; }
    /// `count` is at most left().
    void skip(u64 count) {
        used_ += count;
        if (used_ != (*runs_)[run_].count) return;
        ++run_;
        used_ = 0;
    }

  private:
    const std::vector<StateRuns::Run>* runs_ = nullptr;
    std::size_t run_ = 0;
    u64 used_ = 0;
};

}  // namespace tracefold
