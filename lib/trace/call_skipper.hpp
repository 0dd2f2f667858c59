// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/repeat_finder.hpp"
#include "trace/call_reader.hpp"

namespace tracefold {

/// Leaves out calls that nobody wants to see: iterations of loops that come again, all in one step.
class CallSkipper {
  public:
    /// `calls` must outlive this object. Precondition: it reads no times, and has read no call.
    explicit CallSkipper(CallReader& calls)
        : calls_(calls), unwinder_(calls.unwinder()), finder_(unwinder_) {}

    /// What was left out: iterations that are like the calls since begins() said so.
    struct LeftOut {
        u64 iterations = 0;
        u64 calls = 0;  ///< of each

        [[nodiscard]] u64 all_calls() const { return iterations * calls; }
    };
    /// After every call that was read: leaves out at most this many. Throws Error(corrupt).
    LeftOut after_call(u64 most);
    /// The calls from here on may come again.
    [[nodiscard]] bool begins() const { return begins_; }
    /// Calls since begins() may still come again.
    [[nodiscard]] bool is_looking() const { return finder_.is_looking(); }

  private:
    CallReader& calls_;
    CallUnwinder& unwinder_;
    RepeatFinder<CallUnwinder> finder_;
    u64 length_ = 0;   ///< calls since begins()
    u64 records_ = 0;  ///< theirs
    bool begins_ = false;
};

}  // namespace tracefold
