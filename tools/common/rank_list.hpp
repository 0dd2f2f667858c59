// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <string_view>
#include <vector>

namespace tracefold {

/// A set of ranks as a user writes it: numbers, ranges and strides separated by commas,
/// "0-15,64,0-63:4". Memory is that of the text, whatever the ranges span.
class RankList {
  public:
    /// The empty list, which stands for all ranks.
    RankList() = default;

    /// Throws Error(usage) that names the item which is wrong.
    static RankList parse(std::string_view text);

    [[nodiscard]] bool selects_all() const { return ranges_.empty(); }

    /// Cost: linear in the items of the text.
    [[nodiscard]] bool contains(u64 rank) const;

    /// The ranks below COUNT that are selected, ascending, each once. Throws Error(usage) when a
    /// rank that the user named does not exist.
    [[nodiscard]] std::vector<u64> select(u64 count) const;

  private:
    struct Range {
        u64 first = 0;
        u64 last = 0;
        u64 stride = 1;
    };

    static Range parse_range(std::string_view item);

    std::vector<Range> ranges_;
};

}  // namespace tracefold
