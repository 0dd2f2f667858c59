// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/message_sizes.hpp"
#include "analysis/traffic_matrix.hpp"
#include "core/table_sink.hpp"

#include <functional>
#include <string_view>

namespace tracefold {

/// "send", "collective", "put".
std::string_view transfer_name(Transfer::Kind kind);

/// "sent", "per_peer".
std::string_view side_name(MessageSizes::Side side);

/// The bounds of a class of SizeHistogram.
u64 smallest_of_class(std::size_t size_class);
u64 largest_of_class(std::size_t size_class);

/// Calls `line` with the bounds, count and bytes of every class or exact size that occurs.
using SizeLine = std::function<void(u64 smallest, u64 largest, u64 count, u64 bytes)>;
void for_each_size(const SizeHistogram& histogram, bool exact, const SizeLine& line);

/// A row per size class or, with `exact`, per size that occurs. Precondition: the sizes were
/// counted that way.
void put_sizes(const MessageSizes& sizes, bool exact, TableSink& table);

/// One row per pair: from, to, calls, bytes.
void put_matrix(const TrafficMatrix& matrix, TableSink& table);

}  // namespace tracefold
