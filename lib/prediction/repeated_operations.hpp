// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "prediction/network_operations.hpp"
#include "replay/repeated_calls.hpp"

#include <vector>

namespace tracefold {

/// What the calls of an iteration come to that is given out again and again: messages and waits,
/// worked out once. An iteration is known if each of its calls comes to the same every time, and no
/// request is outstanding where it begins and ends, so that their slots are the same as well.
/// Memory: an iteration.
class RepeatedOperations {
  public:
    /// True if the operations of the iteration are known that begins with this call.
    [[nodiscard]] bool knows(const RepeatedCall& first) const {
        return is_known_ && first.iteration == iteration_;
    }
    /// Appends those of a call. `node`: the MPI call. Precondition: the iteration is known.
    void append(std::size_t place, u32 node, NetworkOperations& out) const;

    /// Before a call is worked out. `at_rest`: no request is outstanding.
    void begin(const RepeatedCall& call, bool at_rest);
    /// What has been appended so far is not what the call comes to every time.
    void mark(const NetworkOperations& out) { first_ = out.list.size(); }
    /// When it is worked out. `is_plain`: it comes to the same every time.
    void end(const RepeatedCall& call, bool is_plain, bool at_rest, const NetworkOperations& out);

  private:
    void forget() {
        iteration_ = 0;
        is_known_ = false;
    }

    u64 iteration_ = 0;  ///< that is known, or being learned; 0: none
    bool is_known_ = false;
    std::vector<std::size_t> ends_;             ///< by call, in operations_
    std::vector<NetworkOperation> operations_;  ///< slots they wait for are in slots_
    std::vector<u32> slots_;
    std::size_t first_ = 0;  ///< of the call at hand
};

}  // namespace tracefold
