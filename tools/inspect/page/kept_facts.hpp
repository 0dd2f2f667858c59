// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "listing/call_lister.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What calls say of themselves, such as peer, tag and bytes, each different thing once: most calls
/// say what others said. Numbers of requests, which differ from call to call, are left out.
class KeptFacts {
  public:
    explicit KeptFacts(std::size_t room) : room_(room) {}

    /// The number of what the call at hand says; 0: nothing, or there is no room left.
    u32 number(CallLister& lister);

    [[nodiscard]] std::size_t bytes() const { return bytes_; }
    /// Calls whose arguments had no room.
    [[nodiscard]] u64 left_out() const { return left_out_; }
    /// The JSON arrays of records, in the order of their numbers from 1.
    [[nodiscard]] std::string text() const;

  private:
    std::size_t room_;
    std::size_t bytes_ = 0;
    u64 left_out_ = 0;
    std::unordered_map<std::string, u32> numbers_;
    std::vector<const std::string*> order_;
};

}  // namespace tracefold
