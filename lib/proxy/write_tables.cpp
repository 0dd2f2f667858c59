// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/write_tables.hpp"

#include "fold/column_cursor.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr std::size_t kWidth = 110;

template <class Numbers>
std::string joined(const Numbers& numbers) {
    std::string text;
    for (const u64 number : numbers) {
        if (!text.empty()) text += ", ";
        text += c_number(number);
    }
    return text;
}

std::size_t depth_of(const Pattern& pattern) {
    std::vector<std::size_t> depths;
    const auto of = [&](const std::vector<u32>& body) {
        std::size_t most = 0;
        for (const u32 item : body) {
            if (item >= pattern.leaf_count)
                most = std::max(most, depths[item - pattern.leaf_count]);
        }
        return most + 1;
    };
    for (const std::vector<u32>& body : pattern.loops) depths.push_back(of(body));
    return of(pattern.root);
}

}  // namespace

std::string c_number(u64 value) {
    const auto number = static_cast<i64>(value);
    const std::string text = std::to_string(number);
    const bool is_int = number >= -0x7fffffff && number <= 0x7fffffff;
    return is_int ? text : text + "LL";
}

std::string c_lines(const std::string& line) {
    std::string text;
    std::string rest = line;
    const std::string indent(line.find_first_not_of(' ') + 4, ' ');
    while (rest.size() > kWidth) {
        auto cut = rest.rfind(", ", kWidth - 1);
        if (cut == std::string::npos || cut < indent.size()) cut = rest.find(", ", indent.size());
        if (cut == std::string::npos) break;
        text += rest.substr(0, cut + 1) + "\n";
        rest = indent + rest.substr(cut + 2);
    }
    return text + rest + "\n";
}

std::string TableWriter::column(u32 id) {
    if (!numbers_.contains(id)) define(id);
    return "&c" + std::to_string(numbers_[id]);
}

void TableWriter::define(u32 id) {
    const Column& column = pool_.columns()[id];
    std::string body;
    switch (column.form) {
        case Column::Form::constant:
            body = "'c', " + c_number(column.start);
            break;
        case Column::Form::progression:
            body = "'p', " + c_number(column.start) + ", " + c_number(column.stride);
            break;
        case Column::Form::list:
        case Column::Form::periodic:
            body = "'l', 0, 0, V(" + joined(column.values) + ")";
            break;
        case Column::Form::runs:
            body = "'r', 0, 0, V(" + joined(column.values) + ")";
            break;
        case Column::Form::folded:
            body = "'f', 0, 0, " + folded(column);
            break;
        case Column::Form::differences:
            body = "'d', " + c_number(column.start) + ", 0, " + folded(column);
            break;
    }
    const auto number = static_cast<u32>(numbers_.size());
    numbers_[id] = number;
    text_ += c_lines("static const column c" + std::to_string(number) + " = {" + body + "};");
}

/// The alphabet, the loops and the counts of a folded column.
std::string TableWriter::folded(const Column& column) {
    const Pattern& pattern = pool_.patterns()[column.pattern];
    depth_ = std::max(depth_, depth_of(pattern));
    const FoldedSource source{pool_.patterns(), pool_.columns()};
    std::vector<u64> loops;
    std::vector<u64> bodies;
    const std::size_t header = pattern.loops.size() + 1;
    const auto add = [&](const std::vector<u32>& body) {
        loops.push_back(header + bodies.size());
        bodies.push_back(body.size());
        bodies.insert(bodies.end(), body.begin(), body.end());
    };
    add(pattern.root);
    for (const std::vector<u32>& body : pattern.loops) add(body);
    loops.insert(loops.end(), bodies.begin(), bodies.end());
    std::string text = "V(" + joined(unwind(source, column.alphabet, pattern.leaf_count)) +
                       "), L(" + joined(loops) + ")";
    if (column.counts.empty()) return text;
    std::vector<std::string> counts(pattern.node_count(), "0");
    for (const NodeCount& count : column.counts) counts[count.node] = this->column(count.column);
    text += ", OF(";
    for (std::size_t i = 0; i < counts.size(); ++i) text += (i == 0 ? "" : ", ") + counts[i];
    return text + ")";
}

}  // namespace tracefold
