// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/network_operations.hpp"
#include "replay/repeated_calls.hpp"

#include <vector>

namespace tracefold {

/// What the calls of an iteration come to that is given out again and again: messages and waits,
/// worked out once. An iteration is known if no request is outstanding where it begins and ends, so
/// that the slots of its requests are the same every time. Memory: an iteration.
class RepeatedOperations {
  public:
    /// True if the operations of a call are known: append() has them.
    [[nodiscard]] bool knows(const RepeatedCall& call) const {
        return is_known_ && call.iteration == iteration_ && calls_[call.place].is_plain;
    }
    /// Appends them. `node`: the MPI call. Precondition: knows() the call.
    void append(const RepeatedCall& call, u32 node, NetworkOperations& out) const;

    /// Before a call that is not known is worked out. `at_rest`: no request is outstanding.
    void begin(const RepeatedCall& call, bool at_rest);
    /// What has been appended so far is not what the call comes to every time.
    void mark(const NetworkOperations& out) {
        first_ = out.list.size();
        first_slot_ = out.slots.size();
    }
    /// The call uses the slot of a request.
    void note_slot() { uses_slots_ = true; }
    /// When it is worked out. `is_plain`: it does the same every time.
    void end(const RepeatedCall& call, bool is_plain, bool at_rest, const NetworkOperations& out);

  private:
    struct Call {
        std::size_t begin = 0;  ///< in operations_
        std::size_t end = 0;
        bool is_plain = false;
    };

    void forget() {
        iteration_ = 0;
        is_known_ = false;
    }

    u64 iteration_ = 0;  ///< that is known, or being learned; 0: none
    bool is_known_ = false;
    std::vector<Call> calls_;
    std::vector<NetworkOperation> operations_;  ///< slots they wait for are in slots_
    std::vector<u32> slots_;
    // The call at hand.
    std::size_t first_ = 0;
    std::size_t first_slot_ = 0;
    bool uses_slots_ = false;
};

}  // namespace tracefold
