// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "mpi/mpi_call_reader.hpp"

#include <optional>
#include <vector>

namespace tracefold {

/// Reads the calls of a location in advance during idle time: decoding a call and its times takes
/// longer than many gaps between two calls. Memory: a bounded number of calls, independent of the
/// length of the program, and one call that may exceed the bound.
class CallBuffer {
  public:
    static constexpr std::size_t kCalls = 4096;
    static constexpr std::size_t kActions = 8192;

    /// Capacity of the buffer. Precondition: both are powers of two.
    explicit CallBuffer(std::size_t calls = kCalls, std::size_t actions = kActions)
        : call_limit_(calls), action_limit_(actions) {}

    /// Begins with the next call of `calls`. Buffers nothing unless `ahead`.
    void start(MpiCallReader calls, bool ahead);

    /// Advances to the next call; false at the end. Throws Error(corrupt).
    bool next();
    /// The current call; fill() moves it. Precondition: next() was true.
    [[nodiscard]] MpiCall& current() { return unkept_is_out_ ? unkept_ : slot(first_).call; }

    /// Reads one more call; false if there is no room, or none is left. Throws Error(corrupt).
    bool fill();

  private:
    struct Slot {
        MpiCall call;
        u64 actions_end = 0;  ///< end of its actions, counted like actions_end_
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
    /// The call read last, if it is not buffered; the reader holds its actions.
    MpiCall unkept_;
    bool has_unkept_ = false;
    bool unkept_is_out_ = false;  ///< unkept_ is the current call
    // Ring buffers; the numbers of slots and actions never wrap.
    std::vector<Slot> slots_;
    std::vector<Action> actions_;
    u64 first_ = 0;
    u64 last_ = 0;         ///< one past the last slot
    bool is_out_ = false;  ///< the first slot is the current call
    u64 actions_begin_ = 0;
    u64 actions_end_ = 0;
};

}  // namespace tracefold
