// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "io/bytes.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// When the calls of one location began and ended in one repetition, in nanoseconds from the common
/// start. Memory: 16 bytes a call.
class MeasuredCallTimes {
  public:
    struct Call {
        u64 begin = 0;
        u64 end = 0;
    };

    /// Before a repetition, so that nothing is allocated in it.
    void prepare(u64 calls) {
        calls_.clear();
        calls_.reserve(calls);
    }
    void add(u64 begin, u64 end) { calls_.push_back({begin, end}); }
    /// Where the recorded program ended.
    void set_end(u64 end) { end_ = end; }

    [[nodiscard]] const std::vector<Call>& calls() const { return calls_; }
    [[nodiscard]] u64 end() const { return end_; }

    [[nodiscard]] std::string encoded() const;
    /// Throws Error(corrupt).
    static MeasuredCallTimes decoded(std::string_view bytes);

  private:
    std::vector<Call> calls_;
    u64 end_ = 0;
};

}  // namespace tracefold
