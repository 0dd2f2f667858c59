// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "tables/traffic_tables.hpp"

#include <array>

namespace tracefold {

namespace {

void put_bytes(u64 bytes, TableSink& table) {
    bytes == kOverflow ? table.none() : table.whole(bytes);
}

}  // namespace

std::string_view transfer_name(Transfer::Kind kind) {
    constexpr std::array<std::string_view, 6> kNames = {"send", "receive", "collective",
                                                        "put",  "get",     "atomic"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view side_name(MessageSizes::Side side) {
    constexpr std::array<std::string_view, 3> kNames = {"sent", "received", "per_peer"};
    return kNames[static_cast<std::size_t>(side)];
}

u64 smallest_of_class(std::size_t size_class) {
    return size_class == 0 ? 0 : u64{1} << (size_class - 1);
}

u64 largest_of_class(std::size_t size_class) {
    const u64 smallest = smallest_of_class(size_class);
    return size_class == 0 ? 0 : smallest + (smallest - 1);
}

void for_each_size(const SizeHistogram& histogram, bool exact, const SizeLine& line) {
    if (exact) {
        for (const auto& [size, count] : histogram.exact)
            line(size, size, count, Transfer::sizes_of({size, 0, count}, 1));
        return;
    }
    for (std::size_t i = 0; i < SizeHistogram::kClasses; ++i) {
        const SizeHistogram::Class& part = histogram.classes[i];
        if (part.count == 0) continue;
        line(smallest_of_class(i), largest_of_class(i), part.count, part.bytes);
    }
}

void put_sizes(const MessageSizes& sizes, bool exact, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"call"},
                 {"kind"},
                 {"side"},
                 {"smallest", Type::whole},
                 {"largest", Type::whole},
                 {"count", Type::whole},
                 {"bytes", Type::whole}});
    for (const auto& entry : sizes.histograms) {
        const auto& key = entry.first;
        for_each_size(entry.second, exact, [&](u64 smallest, u64 largest, u64 count, u64 bytes) {
            table.text(key.call);
            table.text(transfer_name(key.kind));
            table.text(side_name(key.side));
            for (const u64 number : {smallest, largest, count}) table.whole(number);
            put_bytes(bytes, table);
        });
    }
}

void put_matrix(const TrafficMatrix& matrix, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"from"}, {"to"}, {"calls", Type::whole}, {"bytes", Type::whole}});
    for (const auto& [place, cell] : matrix.cells) {
        table.text(matrix.rows[place.row]);
        table.text(matrix.columns[place.column]);
        table.whole(cell.calls);
        put_bytes(cell.bytes, table);
    }
}

}  // namespace tracefold
