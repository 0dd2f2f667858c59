// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/item_codec.hpp"

namespace tracefold {

namespace {

constexpr u32 kToEnd = 3;  ///< the predictor that a run ends with its list

/// `forecast` is null if nobody wants to know.
u64 get_run(FieldReader& in, const ItemForecast* forecast, u64 left) {
    Expectations expected;
    if (forecast != nullptr) {
        expected = forecast->run();
        expected.set(kToEnd, left - 2);
    }
    return in.at(FieldRole::item_run, expected).get_varint();
}

}  // namespace

void put_items(ByteWriter& out, const std::vector<u32>& items) {
    out.put_varint(items.size());
    i64 predicted = 0;
    for (std::size_t i = 0; i < items.size();) {
        std::size_t end = i + 1;
        while (end < items.size() && items[end] == items[end - 1] + 1) ++end;
        const u64 more = end - i > 1 ? 1 : 0;
        out.put_varint(zigzag(i64{items[i]} - predicted) * 2 + more);
        if (more != 0) out.put_varint(end - i - 2);
        predicted = i64{items[end - 1]} + 1;
        i = end;
    }
}

std::vector<u32> get_items(FieldReader& in, u64 limit, u64& budget, ItemForecast* forecast) {
    const u64 count = in.at(FieldRole::item_count, Expectations::fitting(limit)).get_varint();
    std::vector<u32> items;
    i64 predicted = 0;
    const Expectations none;
    if (forecast != nullptr) forecast->begin_items();
    while (items.size() < count) {
        const u64 token =
            in.at(FieldRole::item, forecast != nullptr ? forecast->token(predicted) : none)
                .get_varint();
        const u64 length = (token & 1U) != 0 ? get_run(in, forecast, count - items.size()) : 0;
        const i64 first = predicted + unzigzag(token >> 1U);
        const u64 run = (token & 1U) != 0 ? length + 2 : 1;
        if (first < 0 || static_cast<u64>(first) >= limit || run < length ||
            run > limit - static_cast<u64>(first) || run > count - items.size()) {
            in.fail("an item is out of range");
        }
        if (run > budget) in.fail("a pattern has more items than the section can describe");
        budget -= run;
        for (u64 i = 0; i < run; ++i) {
            items.push_back(static_cast<u32>(static_cast<u64>(first) + i));
        }
        if (forecast != nullptr) forecast->add(static_cast<u32>(first), run);
        predicted = first + static_cast<i64>(run);
    }
    return items;
}

}  // namespace tracefold
