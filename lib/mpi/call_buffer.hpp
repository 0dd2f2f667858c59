// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/mpi_call_reader.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Reads the calls of a location before they are due, when there is time to do it: finding a call
/// and its times takes longer than many a gap between two calls. Memory: a bounded number of calls,
/// whatever the length of the program, and one call that may be larger than that.
class CallBuffer {
  public:
    static constexpr std::size_t kCalls = 4096;
    static constexpr std::size_t kActions = 8192;

    /// At most so many are kept. Precondition: both are powers of two.
    explicit CallBuffer(std::size_t calls = kCalls, std::size_t actions = kActions)
        : call_limit_(calls), action_limit_(actions) {}

    /// Begins with the next call of `calls`. Unless `ahead`, nothing is ever kept.
    void start(MpiCallReader calls, bool ahead);

    /// Goes on to the next call; false at the end. Throws Error(corrupt).
    bool next();
    /// It; moves when fill() is called. Precondition: next() was true.
    [[nodiscard]] MpiCall& current() { return unkept_is_out_ ? unkept_ : slot(first_).call; }

    /// Reads one more call; false if there is no room, or none is left. Throws Error(corrupt).
    bool fill();

  private:
    struct Slot {
        MpiCall call;
        u64 actions_end = 0;  ///< behind its actions, counted like actions_end_
    };

    bool read();
    bool keep();
    void release();
    [[nodiscard]] bool is_empty() const { return first_ == last_; }
    [[nodiscard]] Slot& slot(u64 number) { return slots_[number & (call_limit_ - 1)]; }

    std::size_t call_limit_;
    std::size_t action_limit_;
    std::optional<MpiCallReader> calls_;
    bool ahead_ = false;
    bool ended_ = false;
    /// What was read last, if it is not kept; its actions are where the reader has them.
    MpiCall unkept_;
    bool has_unkept_ = false;
    bool unkept_is_out_ = false;  ///< it is the current call
    // Both are used in turns; the numbers of slots and actions count on.
    std::vector<Slot> slots_;
    std::vector<Action> actions_;
    u64 first_ = 0;
    u64 last_ = 0;         ///< behind the last slot
    bool is_out_ = false;  ///< the first slot is the current call
    u64 actions_begin_ = 0;
    u64 actions_end_ = 0;
};

}  // namespace tracefold
