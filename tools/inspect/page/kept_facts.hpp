// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "listing/call_lister.hpp"

#include <string>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What calls of a row say of themselves, such as peer, tag and bytes, each different thing once.
/// Numbers of requests, which differ from call to call, are left out.
class RowFacts {
  public:
    /// The number of what the call at hand says, from 1; 0: nothing.
    u32 number(CallLister& lister);

    /// The JSON array of records with this number.
    [[nodiscard]] const std::string& text(u32 number) const { return *order_[number - 1]; }
    [[nodiscard]] std::size_t count() const { return order_.size(); }

  private:
    std::unordered_map<std::string, u32> numbers_;
    std::vector<const std::string*> order_;
};

/// The same of all calls of a page, as far as there is room: most calls say what others said.
class KeptFacts {
  public:
    explicit KeptFacts(std::size_t room) : room_(room) {}

    /// The number of what a call says; 0: there is no room left.
    u32 number(const std::string& text);

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
