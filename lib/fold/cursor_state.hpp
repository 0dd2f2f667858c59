// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/append_buffer.hpp"
#include "core/types.hpp"

#include <algorithm>

namespace tracefold {

/// Where a set of cursors stands, in a form that tells whether they go round in circles: what
/// decides about the values to come, and how much is left of the stretches (runs, loops) that they
/// are in the middle of. If two states differ in nothing but that, all that happened between them
/// happens again for as long as the stretches last.
class CursorState {
  public:
    static constexpr u64 kForEver = ~u64{0};

    void clear() {
        fixed_.clear();
        stretches_.clear();
        taken_ = 0;
        before_ = nullptr;
        differs_ = false;
    }
    /// Clears this state, and from now on compares what is added with `before`, which must not
    /// change meanwhile.
    void clear_and_compare(const CursorState& before) {
        clear();
        before_ = &before;
    }
    /// What was added differs from that state: repeats_since() will be 0, whatever else is added.
    [[nodiscard]] bool differs() const { return differs_; }
    [[nodiscard]] std::size_t size() const { return fixed_.size() + stretches_.size(); }

    /// Something that must be equal.
    void add(u64 fixed) {
        if (before_ != nullptr) compare(fixed);
        *fixed_.extend(1) = fixed;
    }
    /// `left` more steps of the same; `serial` says of which stretch, `reserve` how many of them
    /// are not like the others (the last iteration of a loop ends it).
    void add_stretch(u64 left, u64 serial, u64 reserve) {
        *stretches_.extend(1) = {left, serial, reserve};
    }

    /// What was left of the stretch that is added next, in the state that this one is compared
    /// with; `otherwise` if it is compared with none.
    [[nodiscard]] u64 left_before(u64 otherwise) const {
        const std::size_t at = stretches_.size();
        const bool is_there = before_ != nullptr && at < before_->stretches_.size();
        return is_there ? before_->stretches_[at].left : otherwise;
    }

    /// How often the way from `before` to this state can be gone again. 0: not even once.
    [[nodiscard]] u64 repeats_since(const CursorState& before) const {
        if (differs_ || fixed_ != before.fixed_) return 0;
        if (stretches_.size() != before.stretches_.size()) return 0;
        u64 times = kForEver;
        for (std::size_t i = 0; i < stretches_.size(); ++i) {
            const Stretch& now = stretches_[i];
            const Stretch& was = before.stretches_[i];
            if (now.left == was.left) continue;
            if (now.serial != was.serial) return 0;
            times = std::min(times,
                             (now.left - std::min(now.left, now.reserve)) / (was.left - now.left));
        }
        return times;
    }

    /// Goes the way from `before` again. Precondition: times <= repeats_since(before).
    void go_on(const CursorState& before, u64 times) {
        if (times == 0) return;  // the states may differ in more than how far they are
        for (std::size_t i = 0; i < stretches_.size(); ++i) {
            stretches_[i].left -= times * (before.stretches_[i].left - stretches_[i].left);
        }
    }

    /// What is left of the stretches, one by one in the order of add_stretch().
    u64 take() { return stretches_[taken_++].left; }

  private:
    struct Stretch {
        u64 left;
        u64 serial;
        u64 reserve;
    };

    void compare(u64 fixed) {
        const AppendBuffer<u64>& before = before_->fixed_;
        const std::size_t at = fixed_.size();
        if (at >= before.size() || before[at] != fixed) differs_ = true;
    }

    AppendBuffer<u64> fixed_;
    AppendBuffer<Stretch> stretches_;
    std::size_t taken_ = 0;
    const CursorState* before_ = nullptr;
    bool differs_ = false;
};

}  // namespace tracefold
