// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/coded_field.hpp"

#include <array>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// What items may come next in a list of them, from what followed items of the same meaning, in
/// this pattern or another (docs/format.md, "Context mixing"). Leaves of scripts mean symbols,
/// so an item that repeats the code of another script means the same as there, whatever its number.
class ItemForecast {
  public:
    enum class Kind : u8 { column, script, symbols };

    /// A new pattern, or with Kind::symbols the list of symbols of a script. `symbols` are those of
    /// the leaves of a script's pattern.
    void begin(Kind kind, u64 leaves, const std::vector<u32>& symbols = {});
    /// A list of items begins: the body of a loop, the root, or symbols.
    void begin_items();
    /// What the next token may be, `predicted` being the item that a token of 0 stands for.
    [[nodiscard]] Expectations token(i64 predicted);
    /// The same for the rest of a run, whose token was expected just before.
    [[nodiscard]] Expectations run() const;
    /// `count` items that rise by one. Cost: constant.
    void add(u32 first, u64 count);
    /// The list was the body of a loop, which is the next item.
    void end_loop(const std::vector<u32>& body);

  private:
    static constexpr u32 kOrders = 3;
    static constexpr u32 kLongest = 4;  ///< items that the longest order looks back
    static constexpr u64 kMaxRun = 64;
    static constexpr std::size_t kMaxKeys = std::size_t{1} << 18U;
    using Past = std::array<u64, kLongest>;  ///< meanings, the last one first

    static u64 key(u32 order, const Past& past);
    [[nodiscard]] u64 meaning_of(u32 item) const;
    [[nodiscard]] u32 item_of(u64 meaning) const;
    [[nodiscard]] u32 follower(u32 order, const Past& past) const;
    void learn(u64 meaning);
    void push(u64 meaning);

    Kind kind_ = Kind::column;
    u64 leaves_ = 0;
    std::vector<u32> symbols_;                ///< of the leaves of a script
    std::vector<u64> loops_;                  ///< meanings of the loops so far
    std::unordered_map<u64, u32> items_;      ///< leaves of a script and loops by meaning
    std::unordered_map<u64, u64> followers_;  ///< what followed a past: a meaning
    Past past_{};
    std::array<u64, 3> next_new_{};    ///< by kind: the first leaf that was not there yet
    std::array<u32, kOrders> runs_{};  ///< expected lengths, 0 if unknown
};

}  // namespace tracefold
