// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/page_query.hpp"

#include "core/error.hpp"

#include <charconv>
#include <string_view>

namespace tracefold {

namespace {

u64 parsed(std::string_view text, const std::string& name) {
    u64 number = 0;
    const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || rest != text.data() + text.size()) {
        throw Error(ErrorKind::usage, "{} is not a number", name);
    }
    return number;
}

/// Ticks beyond this are no time of any trace, and sums of two of them still fit.
constexpr u64 kMostTicks = u64{1} << 62U;

u64 ticks_of(u64 number) {
    if (number > kMostTicks) throw Error(ErrorKind::usage, "a time is too large");
    return number;
}

/// "5" or "0-39".
void add_rows(std::string_view item, u32 row_count, std::vector<u32>& rows) {
    const std::size_t dash = item.find('-');
    const u64 first = parsed(item.substr(0, dash), "rows");
    const u64 last = dash == std::string_view::npos ? first : parsed(item.substr(dash + 1), "rows");
    if (last < first || last >= row_count) throw Error(ErrorKind::usage, "there is no such row");
    if (last - first >= PageLimits::kRows - rows.size())
        throw Error(ErrorKind::usage, "these are too many rows");
    for (u64 row = first; row <= last; ++row) rows.push_back(static_cast<u32>(row));
}

}  // namespace

std::string PageQuery::text(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? "" : found->second;
}

u64 PageQuery::number(const std::string& name) const {
    if (!values_.contains(name)) throw Error(ErrorKind::usage, "{} is missing", name);
    return parsed(values_.at(name), name);
}

u64 PageQuery::number(const std::string& name, u64 otherwise) const {
    return values_.contains(name) ? number(name) : otherwise;
}

PageWindow PageQuery::window(u32 row_count) const {
    PageWindow part;
    part.window = {ticks_of(number("from")), ticks_of(number("to"))};
    if (part.window.begin >= part.window.end) throw Error(ErrorKind::usage, "the window is empty");
    part.rows = rows(row_count);
    const u64 columns = number("columns", 1);
    if (columns == 0 || columns > PageLimits::kColumns)
        throw Error(ErrorKind::usage, "columns is not from 1 to {}", PageLimits::kColumns);
    part.columns = static_cast<std::size_t>(columns);
    part.boxes = number("boxes", 1) != 0;
    return part;
}

std::vector<u32> PageQuery::rows(u32 row_count) const {
    const std::string list = text("rows");
    std::vector<u32> rows;
    std::string_view rest = list;
    while (!rest.empty()) {
        const std::size_t comma = rest.find(',');
        add_rows(rest.substr(0, comma), row_count, rows);
        rest.remove_prefix(comma == std::string_view::npos ? rest.size() : comma + 1);
    }
    if (rows.empty()) throw Error(ErrorKind::usage, "rows is missing");
    return rows;
}

u32 PageQuery::row(u32 row_count) const {
    const u64 row = number("row");
    if (row >= row_count) throw Error(ErrorKind::usage, "there is no such row");
    return static_cast<u32>(row);
}

}  // namespace tracefold
