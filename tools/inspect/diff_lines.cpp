// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/diff_lines.hpp"

#include "base/error.hpp"
#include "common/text.hpp"
#include "file/call_names.hpp"
#include "inspect/calls/argument_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace tracefold {

namespace {

using Kind = Difference::Kind;

std::string count_words(const ListedNode& node) {
    const std::string text = count_text(node.counts);
    return text.empty() ? "1" : text.substr(3);  // without " x "
}

}  // namespace

ComparedTrace::ComparedTrace(TraceFile& file, const std::string& path, bool with_times)
    : file_(file), names_(file.definitions()), source_(file) {
    if (!with_times) return;
    times_ = call_times(file);
    if (!times_) {
        throw Error(ErrorKind::usage, "--tolerance needs files with times; {} keeps none", path);
    }
}

std::string_view difference_kind(Difference::Kind kind) {
    constexpr std::array<std::string_view, 6> kNames = {"only_in_a", "only_in_b", "count",
                                                        "argument",  "order",     "time"};
    return kNames[static_cast<std::size_t>(kind)];
}

DiffLine line_of(const Difference& difference, const ParticipantNames& names_a,
                 const ParticipantNames& names_b) {
    const ListedNode* a = difference.a;
    const ListedNode* b = difference.b;
    const ListedNode& any = a != nullptr ? *a : *b;
    const bool loop = any.is_loop();
    DiffLine line{loop ? "loop" : any.name, "", "", ""};
    switch (difference.kind) {
        case Kind::only_in_a:
        case Kind::only_in_b: {
            std::string& side = difference.kind == Kind::only_in_a ? line.a : line.b;
            const ParticipantNames& names = difference.kind == Kind::only_in_a ? names_a : names_b;
            const std::string arguments = loop ? "" : arguments_text(any, any.records, names);
            side = count_words(any) + (arguments.empty() ? "" : " " + arguments);
            return line;
        }
        case Kind::count:
            line.field = loop ? "iterations" : "count";
            line.a = count_words(*a);
            line.b = count_words(*b);
            return line;
        case Kind::time:
            line.field = "mean time";
            line.a = format_time(difference.seconds_a);
            line.b = format_time(difference.seconds_b);
            return line;
        case Kind::argument:
        case Kind::order:
            break;
    }
    if (difference.record == Difference::kNoRecord) {
        line.field = loop ? "iterations" : "count";
        line.a = line.b = count_words(any);
        return line;
    }
    const auto argument = [&difference](const ListedNode& node) -> const ListedArgument& {
        return node.records[difference.record].arguments[difference.argument];
    };
    line.field = short_field_name(argument(*a).name);
    line.a = argument_text(argument(*a), names_a);
    line.b = argument_text(argument(*b), names_b);
    return line;
}

void MergedDifferences::add(const Difference& difference, const ParticipantNames& names_a,
                            const ParticipantNames& names_b) {
    if (difference.participants != script_) places_of_script_.assign(entries_.size(), 0);
    script_ = difference.participants;
    Entry entry{difference.kind, script_, difference.path, line_of(difference, names_a, names_b)};
    std::vector<std::string> key = entry.path;
    key.insert(key.end(), {std::string(difference_kind(entry.kind)), entry.line.what,
                           entry.line.field, entry.line.a, entry.line.b});
    const auto [known, fresh] = numbers_.try_emplace(std::move(key), entries_.size());
    if (fresh) {
        entries_.push_back(std::move(entry));
        places_of_script_.push_back(1);
        return;
    }
    Entry& before = entries_[known->second];
    before.participants.unite(script_);
    before.places = std::max(before.places, ++places_of_script_[known->second]);
}

std::vector<MergedDifferences::Entry> MergedDifferences::grouped() const {
    std::vector<Entry> grouped;
    std::vector<bool> done(entries_.size(), false);
    for (std::size_t first = 0; first < entries_.size(); ++first) {
        for (std::size_t i = first; i < entries_.size() && !done[first]; ++i) {
            if (done[i] || entries_[i].participants != entries_[first].participants) continue;
            grouped.push_back(entries_[i]);
            if (i != first) done[i] = true;
        }
        done[first] = true;
    }
    return grouped;
}

}  // namespace tracefold
