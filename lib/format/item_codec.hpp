// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "format/field_reader.hpp"
#include "format/item_forecast.hpp"

#include <vector>

namespace tracefold {

/// Items as tokens: zigzag(item - predicted) * 2 + more, where the prediction is one after the item
/// before (the first: 0), and `more` says that a number n follows and with it n + 2 items in all
/// that rise by one. `count` is written first.
void put_items(ByteWriter& out, const std::vector<u32>& items);
/// The inverse; every item is below `limit`. Items are taken from `budget`, and Error(corrupt) is
/// thrown when it is used up. `forecast` is asked and told if there is one.
std::vector<u32> get_items(FieldReader& in, u64 limit, u64& budget,
                           ItemForecast* forecast = nullptr);

}  // namespace tracefold
