// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/append_buffer.hpp"
#include "replay/mpi_call.hpp"

#include <string_view>
#include <vector>

namespace tracefold {

/// Calls and their actions on their way from one thread, or process, to another. Most of them have
/// few fields that differ from the usual values, and only these are kept: about a third of MpiCall
/// and Action. Handing calls over takes as long as moving their bytes from the cache of one core to
/// that of another.
class PackedCalls {
  public:
    void clear();
    [[nodiscard]] std::size_t size() const { return size_; }
    void add(const MpiCall& call);

    /// The next call in the order in which they were added; its actions are put into `actions`.
    /// Precondition: fewer than size() were read since clear().
    void read(MpiCall& call, std::vector<Action>& actions);

    /// Those that were added, for assign() on a machine of the same kind.
    [[nodiscard]] std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }
    void assign(std::string_view bytes, std::size_t size);

  private:
    AppendBuffer<char> bytes_;
    std::size_t size_ = 0;
    std::size_t at_ = 0;  ///< byte that is read next
};

}  // namespace tracefold
