// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/write_tables.hpp"

#include "fold/column_cursor.hpp"

#include <algorithm>
#include <span>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kWidth = 110;

/// A loop that is used in several places is written at each unless it is longer.
constexpr std::size_t kShortLoop = 24;
/// Of numbers in a list that come several times in a row.
constexpr std::size_t kLongestPeriod = 64;
constexpr std::size_t kLeastSaved = 2;

std::string plain(u64 value) { return std::to_string(static_cast<i64>(value)); }

void append(std::string& text, const std::string& word) {
    if (!text.empty()) text += ' ';
    text += word;
}

std::string repeated(u64 times, u64 value) {
    return times == 1 ? plain(value) : fmt::format("{}*{}", times, plain(value));
}

struct Run {
    u64 value = 0;
    u64 times = 0;

    bool operator==(const Run&) const = default;
};
using Runs = std::span<const Run>;

/// How often the first `period` runs follow each other.
std::size_t rounds(Runs runs, std::size_t period) {
    std::size_t count = 1;
    while ((count + 1) * period <= runs.size() &&
           std::ranges::equal(runs.first(period), runs.subspan(count * period, period))) {
        ++count;
    }
    return count;
}

/// What comes several times in a row is written once. Cost: a constant for each run and period.
std::string text_of_runs(Runs runs) {
    std::string text;
    while (!runs.empty()) {
        std::size_t period = 1;
        std::size_t saved = kLeastSaved;
        for (std::size_t i = 2; 2 * i <= runs.size() && i <= kLongestPeriod; ++i) {
            const std::size_t saves = (rounds(runs, i) - 1) * i;
            if (saves <= saved) continue;
            period = i;
            saved = saves;
        }
        const std::size_t count = period == 1 ? 1 : rounds(runs, period);
        append(text, count == 1 ? repeated(runs.front().times, runs.front().value)
                                : fmt::format("{}*({})", count, text_of_runs(runs.first(period))));
        runs = runs.subspan(count * period);
    }
    return text;
}

std::string list_text(const std::vector<u64>& values) {
    std::vector<Run> runs;
    for (const u64 value : values) {
        if (!runs.empty() && runs.back().value == value) {
            ++runs.back().times;
        } else {
            runs.push_back({value, 1});
        }
    }
    return text_of_runs(runs);
}

/// The last run has no end.
std::string runs_text(const std::vector<u64>& values) {
    std::string text;
    std::size_t end = values.size() - 1;
    while (end >= 2 && values[end - 2] == values.back()) end -= 2;
    for (std::size_t i = 0; i < end; i += 2) append(text, repeated(values[i + 1], values[i]));
    append(text, "*" + plain(values.back()));
    return text;
}

}  // namespace

std::vector<u32> uses_of_loops(const Pattern& pattern) {
    std::vector<u32> uses(pattern.loops.size(), 0);
    const auto count = [&](const std::vector<u32>& body) {
        for (const u32 item : body) {
            if (item >= pattern.leaf_count) ++uses[item - pattern.leaf_count];
        }
    };
    count(pattern.root);
    for (const auto& body : pattern.loops) count(body);
    return uses;
}

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

u32 TableWriter::column(u32 id) {
    const auto known = numbers_.find(id);
    if (known != numbers_.end()) return known->second;
    return numbers_[id] = add(text_of(pool_.columns()[id]));
}

u32 TableWriter::add(const std::string& text) {
    const auto [known, is_new] = known_.try_emplace(text, static_cast<u32>(texts_.size()));
    if (is_new) texts_.push_back(text);
    return known->second;
}

std::string TableWriter::text_of(const Column& column) {
    switch (column.form) {
        case Column::Form::constant:
            return plain(column.start);
        case Column::Form::progression:
            return plain(column.start) + " + *" + plain(column.stride);
        case Column::Form::list:
        case Column::Form::periodic:
            return list_text(column.values);
        case Column::Form::runs:
            return runs_text(column.values);
        case Column::Form::folded:
            return folded(column);
        case Column::Form::differences:
            return plain(column.start) + " + " + folded(column);
    }
    return {};
}

std::string TableWriter::folded(const Column& column) {
    const Pattern& pattern = pool_.patterns()[column.pattern];
    const FoldedSource source{pool_.patterns(), pool_.columns()};
    const std::vector<u64> alphabet = unwind(source, column.alphabet, pattern.leaf_count);
    const std::vector<std::string> times = repetitions(column);
    const std::vector<u32> uses = uses_of_loops(pattern);
    std::vector<std::string> loops;
    const auto body_text = [&](const std::vector<u32>& body) {
        std::string text;
        for (const u32 item : body) {
            const u32 loop = item - pattern.leaf_count;
            append(text,
                   times[item] + (item < pattern.leaf_count ? plain(alphabet[item]) : loops[loop]));
        }
        return text;
    };
    for (std::size_t i = 0; i < pattern.loops.size(); ++i) {
        const std::string text = body_text(pattern.loops[i]);
        const bool inside = uses[i] <= 1 || text.size() <= kShortLoop;
        loops.push_back(inside ? "(" + text + ")" : "@" + std::to_string(add(text)));
    }
    return body_text(pattern.root);
}

/// What stands in front of each node: "3*", "c5*" where a column has the numbers, or nothing. Nodes
/// that take them from columns of the same text are told apart.
std::vector<std::string> TableWriter::repetitions(const Column& column) {
    std::vector<std::string> times(pool_.patterns()[column.pattern].node_count());
    std::unordered_map<u32, std::size_t> users;
    for (const NodeCount& count : column.counts) {
        const Column& numbers = pool_.columns()[count.column];
        if (numbers.form != Column::Form::constant) {
            const u32 number = this->column(count.column);
            times[count.node] = fmt::format("c{}{}*", number, std::string(users[number]++, '\''));
        } else if (numbers.start != 1) {
            times[count.node] = std::to_string(numbers.start) + "*";
        }
    }
    return times;
}

/// A text stands behind those that it refers to.
std::size_t TableWriter::depth() const {
    std::vector<std::size_t> depths;
    for (const std::string& text : texts_) {
        std::size_t open = 0;
        std::size_t most = 0;
        for (std::size_t i = 0; i < text.size(); ++i) {
            if (text[i] == ')') --open;
            if (text[i] == '(') most = std::max(most, ++open);
            if (text[i] == '@') {
                most = std::max(most, open + 1 + depths[std::stoul(text.substr(i + 1, 9))]);
            }
        }
        depths.push_back(most);
    }
    return depths.empty() ? 1 : std::max(std::size_t{1}, std::ranges::max(depths));
}

std::string TableWriter::table() const {
    std::string text = "static const char *const columns[] = {\n";
    for (std::size_t i = 0; i < texts_.size(); ++i) {
        std::string rest = texts_[i];
        std::string before = fmt::format("    /* {} */ \"", i);
        while (before.size() + rest.size() + 2 > kWidth) {
            const auto cut = rest.rfind(' ', kWidth - 2 - before.size());
            if (cut == std::string::npos) break;
            text += before + rest.substr(0, cut + 1) + "\"\n";
            rest = rest.substr(cut + 1);
            before = "        \"";
        }
        text += before + rest + "\",\n";
    }
    return text + "};\n";
}

}  // namespace tracefold
