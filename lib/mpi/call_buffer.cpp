// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/call_buffer.hpp"

#include <algorithm>

namespace tracefold {

void CallBuffer::start(MpiCallReader calls, bool ahead) {
    calls_.emplace(std::move(calls));
    ahead_ = ahead;
    ended_ = has_unkept_ = unkept_is_out_ = is_out_ = false;
    first_ = last_ = 0;
    if (!ahead) return;
    slots_.resize(call_limit_);
    actions_.resize(action_limit_);
}

bool CallBuffer::next() {
    release();
    is_out_ = !is_empty();
    if (is_out_) return true;
    actions_begin_ = actions_end_ = 0;
    unkept_is_out_ = has_unkept_ || read();
    has_unkept_ = false;
    return unkept_is_out_;
}

bool CallBuffer::fill() {
    if (!ahead_) return false;
    if (unkept_is_out_) {
        // The next call would overwrite it.
        if (!keep()) return false;
        unkept_is_out_ = false;
        is_out_ = true;
    }
    if (!has_unkept_ && !read()) return false;
    return keep();
}

void CallBuffer::release() {
    unkept_is_out_ = false;
    if (!is_out_) return;
    actions_begin_ = slot(first_).actions_end;
    ++first_;
    is_out_ = false;
}

bool CallBuffer::read() {
    if (!ended_) ended_ = !calls_->next(unkept_);
    has_unkept_ = !ended_;
    return has_unkept_;
}

/// Moves the call just read to the buffer. The actions of a call are contiguous.
bool CallBuffer::keep() {
    const std::span<const Action> actions = unkept_.actions;
    if (last_ - first_ == call_limit_) return false;
    u64 begin = actions_end_;
    const u64 room = action_limit_ - (begin & (action_limit_ - 1));
    if (actions.size() > room) begin += room;
    if (begin + actions.size() - actions_begin_ > action_limit_) return false;
    Action* const own = actions_.data() + (begin & (action_limit_ - 1));
    std::ranges::copy(actions, own);
    actions_end_ = begin + actions.size();
    Slot& kept = slot(last_++);
    kept.call = unkept_;
    kept.call.actions = {own, actions.size()};
    kept.actions_end = actions_end_;
    has_unkept_ = false;
    return true;
}

}  // namespace tracefold
