// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/write_script.hpp"

#include "fold/column_cursor.hpp"
#include "model/participants.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kWidth = 110;

/// A shorter loop is written at each of its uses.
constexpr std::size_t kShortLoop = 24;
/// Limits for repeated numbers in a list.
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

/// Repetitions of the first `period` runs.
std::size_t rounds(Runs runs, std::size_t period) {
    std::size_t count = 1;
    while ((count + 1) * period <= runs.size() &&
           std::ranges::equal(runs.first(period), runs.subspan(count * period, period))) {
        ++count;
    }
    return count;
}

/// Writes repeated runs once. Cost: constant for each run and period.
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

/// The prefix of each node: "3*", "c5*" for a column of numbers, or nothing. Nodes whose columns
/// have the same text get distinct prefixes.
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

/// A text follows those that it refers to.
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

namespace {

constexpr std::size_t kTableWidth = 110;

std::string indent(std::size_t depth) { return std::string(4 * depth, ' '); }

/// "i", "j", ...
std::string variable(std::size_t depth) {
    const std::string letter(1, static_cast<char>('i' + (depth - 1) % 12));
    return depth <= 12 ? letter : letter + std::to_string(depth);
}

std::string seconds(double value) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.3g", value);
    return text.data();
}

std::string ranks_text(const ParticipantList& ranks) {
    std::string text;
    for (const ParticipantList::Run& run : ranks.runs()) {
        text += (text.empty() ? "" : ", ") + std::to_string(run.start);
        if (run.count > 1) text += "-" + std::to_string(run.last());
        if (run.count > 2 && run.stride > 1) text += " by " + std::to_string(run.stride);
    }
    return (ranks.size() == 1 ? "rank " : "ranks ") + text;
}

}  // namespace

ScriptWriter::ScriptWriter(const ProxyModel& model, std::size_t number, TableWriter& tables)
    : model_(model),
      number_(number),
      script_(model.scripts[number]),
      pattern_(script_.pattern),
      places_(pattern_),
      tables_(tables),
      is_function_(pattern_.loops.size(), false) {
    choose_functions();
}

/// Chooses loops that are used several times, and outermost loops.
void ScriptWriter::choose_functions() {
    const std::vector<u32> uses = uses_of_loops(pattern_);
    for (std::size_t i = 0; i < uses.size(); ++i) is_function_[i] = uses[i] > 1;
    for (const u32 item : pattern_.root) {
        if (item < pattern_.leaf_count) continue;
        const u32 loop = item - pattern_.leaf_count;
        if (pattern_.loops[loop].size() > 1) is_function_[loop] = true;
    }
}

std::string ScriptWriter::loop_name(std::size_t loop) const {
    return "part_" + std::to_string(number_) + "_loop_" + std::to_string(loop);
}

std::string ScriptWriter::functions() {
    std::string text;
    for (u32 i = 0; i < pattern_.loops.size(); ++i) {
        if (!is_function_[i]) continue;
        text += "\nstatic void " + loop_name(i) + "(void) {\n" + body(i + 1, 1) + "}\n";
    }
    return text + "\n/* " + ranks_text(ParticipantList(script_.ranks)) + " */\nstatic void part_" +
           std::to_string(number_) + "(void) {\n" + body(0, 1) + "}\n";
}

std::string ScriptWriter::body(BodyId number, std::size_t depth) {
    const std::size_t size = body_of(pattern_, number).size();
    std::string text;
    for (std::size_t i = 0; i < size; ++i) {
        text += item(static_cast<u32>(places_.first(number) + i), depth);
    }
    return text;
}

std::string ScriptWriter::item(u32 number, std::size_t depth) {
    const ProxyPlace& place = script_.places[number];
    if (place.item >= pattern_.leaf_count) return loop(number, depth);
    const std::string statement = call(place);
    const std::string repeated = repeat(place.count, depth);
    if (repeated.empty()) return c_lines(indent(depth) + statement);
    const std::string one = indent(depth) + repeated + "{ " + statement + " }";
    if (one.size() <= 110) return one + "\n";
    return indent(depth) + repeated + "{\n" + c_lines(indent(depth + 1) + statement) +
           indent(depth) + "}\n";
}

std::string ScriptWriter::loop(u32 number, std::size_t depth) {
    const ProxyPlace& place = script_.places[number];
    const u32 loop = place.item - pattern_.leaf_count;
    const std::string repeated = repeat(place.count, depth);
    if (is_function_[loop]) return indent(depth) + repeated + loop_name(loop) + "();\n";
    return indent(depth) + repeated + "{\n" + body(loop + 1, depth + 1) + indent(depth) + "}\n";
}

/// "for (...) ", or empty for a single execution.
std::string ScriptWriter::repeat(const Assignment& count, std::size_t depth) {
    const std::string name = variable(depth);
    u64 times = 0;
    if (is_constant(count, times)) {
        if (times == 1) return {};
        return "for (ll " + name + " = 0; " + name + " < " + c_number(times) + "; " + name + "++) ";
    }
    if (is_condition(count)) return "if (" + argument(count) + ") ";
    return "for (ll " + name + " = " + argument(count) + "; " + name + " > 0; " + name + "--) ";
}

/// True if the count is at most 1.
bool ScriptWriter::is_condition(const Assignment& count) const {
    const auto at_most_one = [](const std::vector<u64>& values) {
        return std::ranges::all_of(values, [](u64 value) { return value <= 1; });
    };
    const FoldedSource source{model_.pool.patterns(), model_.pool.columns()};
    if (count.columns.empty()) {
        return at_most_one(unwind(source, count.by_participant, script_.ranks.size()));
    }
    return std::ranges::all_of(count.columns, [&](u32 id) {
        const Column& column = source.column(id);
        if (column.form == Column::Form::constant) return column.start <= 1;
        if (column.form == Column::Form::list || column.form == Column::Form::periodic) {
            return at_most_one(column.values);
        }
        return column.form == Column::Form::folded &&
               at_most_one(
                   unwind(source, column.alphabet, source.patterns[column.pattern].leaf_count));
    });
}

std::string ScriptWriter::call(const ProxyPlace& place) {
    const ProxyFunctionInfo& info = proxy_function_info(script_.functions[place.item]);
    std::string text;
    if (model_.has_times && place.executions != 0) {
        const double mean = model_.rate.seconds(static_cast<double>(place.ticks) /
                                                static_cast<double>(place.executions));
        if (mean > 0) text += "compute(" + seconds(mean) + "); ";
    }
    text += std::string(info.name) + "(";
    auto assignment = place.arguments.begin();
    bool first = true;
    for (const char letter : info.arguments) {
        if (!first) text += ", ";
        first = false;
        const Assignment& one = *assignment++;
        u64 value = 0;
        if (letter == 'p') {
            constexpr std::array<std::string_view, kPeerEncodings> kWords = {"REL", "MOD", "XOR",
                                                                             "ABS"};
            const bool constant = is_constant(one, value);
            const bool nobody = constant && value == kProxyNobody;
            text += std::string(kWords[static_cast<std::size_t>(one.peers)]) + ", ";
            const bool plus = constant && !nobody && static_cast<i64>(value) > 0 &&
                              one.peers == PeerEncoding::relative;
            text += nobody ? "NOBODY" : (plus ? "+" : "") + number(one);
        } else if (letter == 'c' && is_constant(one, value) && value <= 1) {
            text += value == 0 ? "WORLD" : "SELF";
        } else if (letter == 'l') {
            text += number(one) + ", " + list(*assignment++, script_.functions[place.item]);
        } else {
            text += number(one);
        }
    }
    return text + ");";
}

bool ScriptWriter::is_constant(const Assignment& assignment, u64& value) const {
    if (assignment.by_participant != kNone || assignment.columns.size() != 1) return false;
    const Column& column = model_.pool.columns()[assignment.columns.front()];
    value = column.start;
    return column.form == Column::Form::constant;
}

std::string ScriptWriter::number(const Assignment& assignment) {
    u64 value = 0;
    return is_constant(assignment, value) ? c_number(value) : argument(assignment);
}

std::string ScriptWriter::list(const Assignment& assignment, ProxyFunction function) {
    const bool ages = function >= ProxyFunction::Wait && function <= ProxyFunction::any_of;
    u64 value = 0;
    if (ages && is_constant(assignment, value) && value == 0) return "OLDEST";
    const std::string text = argument(assignment);
    return "list" + text.substr(3);
}

std::string ScriptWriter::argument(const Assignment& assignment) {
    std::string text;
    if (assignment.by_participant != kNone) {
        text = std::to_string(tables_.column(assignment.by_participant)) + ":";
    }
    for (const u32 column : assignment.columns) {
        text += (text.empty() ? "" : " ") + std::to_string(tables_.column(column));
    }
    // Constants of a rank may be used at several places.
    const auto known = std::ranges::find(arguments_, text);
    if (assignment.columns.empty() && known != arguments_.end()) {
        return "arg(" + std::to_string(known - arguments_.begin()) + ")";
    }
    arguments_.push_back(std::move(text));
    return "arg(" + std::to_string(arguments_.size() - 1) + ")";
}

std::string ScriptWriter::script_tables() {
    const std::string number = std::to_string(number_);
    std::string ranks = "static const int ranks_" + number + "[] = {";
    const ParticipantList participants(script_.ranks);
    for (const ParticipantList::Run& run : participants.runs()) {
        ranks += std::to_string(run.start) + ", " + std::to_string(run.stride) + ", " +
                 std::to_string(run.count) + ", ";
    }
    std::string text = c_lines(ranks + "0, 0, 0};");
    if (arguments_.empty()) return text;
    std::string list = "static const char *const arguments_" + number + "[] = {\n";
    std::string line;
    for (std::size_t i = 0; i < arguments_.size(); ++i) {
        const std::string word = "\"" + arguments_[i] + "\",";
        if (!line.empty() && line.size() + 1 + word.size() > kTableWidth) {
            list += line + "\n";
            line.clear();
        }
        if (line.empty()) line = "    /* " + std::to_string(i) + " */";
        line += " " + word;
    }
    return text + list + line + "\n};\n";
}

std::string ScriptWriter::entry() const {
    const std::string number = std::to_string(number_);
    const std::string arguments = arguments_.empty() ? "0" : "arguments_" + number;
    return "{ranks_" + number + ", " + arguments + ", " + std::to_string(arguments_.size()) +
           ", part_" + number + "}";
}

}  // namespace tracefold
