// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/rank_list.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <charconv>
#include <optional>
#include <string>

namespace tracefold {
namespace {

std::optional<u64> take_number(std::string_view& text) {
    u64 number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    // Ranks are 32-bit numbers in every archive; a bound keeps sums from running over.
    if (error != std::errc() || number > 0xFFFFFFFFU) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

bool take(std::string_view& text, char expected) {
    if (text.empty() || text.front() != expected) return false;
    text.remove_prefix(1);
    return true;
}

Error bad_item(std::string_view item) {
    return {ErrorKind::usage, "'" + std::string(item) +
                                  "' is not a rank, a range or a stride; write them as in "
                                  "0-15,64 or 0-63:4"};
}

}  // namespace

RankList::Range RankList::parse_range(std::string_view item) {
    std::string_view rest = item;
    const auto first = take_number(rest);
    if (!first) throw bad_item(item);
    Range range{*first, *first, 1};
    if (take(rest, '-')) {
        const auto last = take_number(rest);
        if (!last || *last < *first) throw bad_item(item);
        range.last = *last;
        if (take(rest, ':')) {
            const auto stride = take_number(rest);
            if (!stride || *stride == 0) throw bad_item(item);
            range.stride = *stride;
        }
    }
    if (!rest.empty()) throw bad_item(item);
    range.last -= (range.last - range.first) % range.stride;
    return range;
}

RankList RankList::parse(std::string_view text) {
    RankList list;
    while (true) {
        const std::size_t comma = text.find(',');
        list.ranges_.push_back(parse_range(text.substr(0, comma)));
        if (comma == std::string_view::npos) return list;
        text.remove_prefix(comma + 1);
    }
}

bool RankList::contains(u64 rank) const {
    return selects_all() || std::any_of(ranges_.begin(), ranges_.end(), [&](const Range& range) {
               return rank >= range.first && rank <= range.last &&
                      (rank - range.first) % range.stride == 0;
           });
}

std::vector<u64> RankList::select(u64 count) const {
    for (const Range& range : ranges_) {
        if (range.last >= count)
            throw Error(ErrorKind::usage,
                        "rank {} does not exist; the trace has {} ranks, counted from 0",
                        range.last, count);
    }
    std::vector<u64> ranks;
    for (u64 rank = 0; rank < count; ++rank) {
        if (contains(rank)) ranks.push_back(rank);
    }
    return ranks;
}

}  // namespace tracefold
