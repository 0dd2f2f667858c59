// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/calls/argument_text.hpp"
#include "inspect/calls/body_selection.hpp"
#include "inspect/structure/structure.hpp"

#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Listings with more lines refer to calls that they named before.
constexpr std::size_t kLongListing = 60;
/// Columns of a line that names several calls.
constexpr std::size_t kColumns = 100;
/// Names of calls that are left out.
constexpr std::size_t kMostNames = 4;
const std::string kLoop = "loop";
constexpr double kLeastShare = 0.0005;

std::size_t lines_in_full(const ListedScript& script) {
    std::size_t lines = script.root.size();
    for (const ListedNode& node : script.nodes) lines += node.body.size();
    return lines;
}

class ScriptPrinter {
  public:
    ScriptPrinter(const ListedScript& script, const ParticipantNames& participants,
                  const std::optional<LineTimes>& times, const ListingLimits& limits,
                  Console& console)
        : script_(script),
          participants_(participants),
          times_(times),
          limits_(limits),
          console_(console),
          weights_(times ? times->per_visit : calls_per_visit(script)),
          refers_(!limits.repeats && lines_in_full(script) > kLongListing),
          named_(script.nodes.size(), false) {
        find_labels();
    }

    ListingSize run() {
        u64 executions = 0;
        for (const ListedNode& node : script_.nodes) {
            if (node.kind != ListedNode::Kind::loop) executions += node.executions;
        }
        const std::string who = participants_.text(script_.participants);
        console_.out() << console_.paint(Style::bold, who) << "  "
                       << console_.paint(Style::dim, format_count(executions) + " calls") << '\n';
        body(script_.root, 1, static_cast<double>(script_.participants.size()));
        return {size_.lines + 1, size_.left_out};
    }

  private:
    /// Loops that stand in several places have a label, and calls with a name that others have too.
    void find_labels() {
        std::vector<u32> places(script_.nodes.size(), 0);
        const auto count = [&places](const std::vector<u32>& body) {
            for (const u32 item : body) ++places[item];
        };
        count(script_.root);
        std::map<std::string, std::vector<u32>> by_name;
        for (const ListedNode& node : script_.nodes) count(node.body);
        for (u32 node = 0; node < places.size(); ++node) {
            const ListedNode::Kind kind = script_.nodes[node].kind;
            if (kind == ListedNode::Kind::loop && places[node] > 1) labels_.emplace(node, 0);
            if (is_call(node)) by_name[script_.nodes[node].name].push_back(node);
        }
        if (!refers_) return;
        for (const auto& [name, nodes] : by_name) {
            if (nodes.size() < 2) continue;
            for (std::size_t i = 0; i < nodes.size(); ++i) numbers_.emplace(nodes[i], i + 1);
        }
    }

    [[nodiscard]] bool is_call(u32 node) const {
        const ListedNode::Kind kind = script_.nodes[node].kind;
        return kind == ListedNode::Kind::call || kind == ListedNode::Kind::record;
    }

    /// "MPI_Isend", with its number if several calls of a long listing have that name.
    [[nodiscard]] std::string name_of(u32 node) const {
        const std::string name = printable(script_.nodes[node].name);
        const auto number = numbers_.find(node);
        return number == numbers_.end() ? name : fmt::format("{} [{}]", name, number->second);
    }

    /// `times`: how often the body is run through by all participants.
    void body(const std::vector<u32>& items, std::size_t level, double times) {
        const std::vector<bool> shown =
            choose_items(script_, items, weights_, limits_.wide, limits_.width);
        std::size_t inner = level;
        std::vector<u32> left_out;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (!shown[i]) {
                left_out.push_back(items[i]);
                continue;
            }
            print_left_out(left_out, inner, times);
            inner = item(items[i], level, inner, times);
        }
        print_left_out(left_out, inner, times);
        print_again();
    }

    /// "... 37 more: 12 MPI_Comm_rank, 8 MPI_Iprobe, ..." for the items, which it takes.
    void print_left_out(std::vector<u32>& items, std::size_t level, double times) {
        if (items.empty()) return;
        print_again();
        std::map<std::string, u64> names;
        u64 count = 0;
        double ticks = 0;
        for (const u32 item : items) {
            const ListedNode& node = script_.nodes[item];
            ticks += ticks_of(item, times);
            if (node.kind == ListedNode::Kind::leave) continue;
            ++names[node.kind == ListedNode::Kind::loop ? kLoop : printable(node.name)];
            ++count;
        }
        share_ = share(ticks);
        line(level, console_.paint(Style::dim,
                                   fmt::format("... {} more: {}", count, most_frequent(names))));
        size_.left_out += count;
        items.clear();
    }

    static std::string most_frequent(const std::map<std::string, u64>& names) {
        std::vector<std::pair<std::string, u64>> ordered(names.begin(), names.end());
        std::stable_sort(ordered.begin(), ordered.end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
        std::string text;
        for (std::size_t i = 0; i < std::min(kMostNames, ordered.size()); ++i) {
            text.append(i == 0 ? "" : ", ").append(std::to_string(ordered[i].second));
            text.append(" ").append(ordered[i].first);
            if (ordered[i].first == kLoop && ordered[i].second > 1) text += "s";
        }
        return ordered.size() > kMostNames ? text + ", ..." : text;
    }

    /// Keeps for one line what was printed in full before.
    void again(const std::string& what, std::size_t level, double ticks) {
        if (level != again_level_) print_again();
        again_.append(again_.empty() ? "" : ", ").append(what);
        again_level_ = level;
        again_ticks_ += ticks;
    }

    void print_again() {
        if (again_.empty()) return;
        const std::size_t indent = 2 * again_level_;
        std::istringstream lines(
            wrap("again " + std::exchange(again_, ""), kColumns - std::min(indent, kColumns / 2)));
        share_ = share(std::exchange(again_ticks_, 0));
        for (std::string text; std::getline(lines, text);) line(again_level_, text);
    }

    /// Prints an item of a body that starts at level `base`; returns the level of the next item.
    std::size_t item(u32 number, std::size_t base, std::size_t level, double times) {
        const ListedNode& node = script_.nodes[number];
        if (refers_ && is_call(number) && named_[number]) {
            again(name_of(number), level, ticks_of(number, times));
            return level;
        }
        named_[number] = true;
        const std::string count = count_text(node.counts);
        if (node.kind == ListedNode::Kind::loop) {
            loop(number, count, level, times);
            return level;
        }
        print_again();
        share_ = share(ticks_of(number, times));
        const std::string arguments = printable(arguments_text(node, participants_));
        const std::string tail = count + (arguments.empty() ? "" : " " + arguments);
        if (node.kind == ListedNode::Kind::leave) return leave(number, tail, base, level);
        const bool is_region = node.kind == ListedNode::Kind::enter;
        line(level, name_of(number) + tail + (is_region ? " {" : ""));
        return is_region ? level + 1 : level;
    }

    std::size_t leave(u32 number, const std::string& tail, std::size_t base, std::size_t level) {
        // A loop whose body begins inside of a region leaves more than it enters.
        if (level == base) {
            line(level, "} " + name_of(number) + tail);
            return level;
        }
        line(level - 1, "}" + tail);
        return level - 1;
    }

    /// Loops that stand in several places are printed at the first one and referred to later.
    void loop(u32 number, const std::string& count, std::size_t level, double times) {
        std::string title = console_.paint(Style::bold, "loop") + count;
        const auto label = labels_.find(number);
        bool is_again = false;
        if (label != labels_.end()) {
            is_again = label->second != 0;
            if (!is_again) label->second = ++last_label_;
            title += fmt::format(" [L{}{}", label->second, is_again ? " as above]" : "]");
        }
        if (is_again && refers_) {
            again("L" + std::to_string(label->second), level, ticks_of(number, times));
            return;
        }
        print_again();
        share_ = share(ticks_of(number, times));
        const std::vector<u32>& items = script_.nodes[number].body;
        if (limits_.depth != 0 && level >= limits_.depth && !is_again) {
            title += console_.paint(Style::dim, fmt::format(" ... {} items", items.size()));
        }
        line(level, title);
        const bool deeper = !is_again && !(limits_.depth != 0 && level >= limits_.depth);
        if (deeper) body(items, level + 1, times_ ? times * times_->iterations[number] : 0);
    }

    /// Of an item in a body that is run through so often.
    [[nodiscard]] double ticks_of(u32 number, double times) const {
        return times_ ? times * times_->per_visit[number] : 0;
    }

    /// "12.3 %", empty without times and for less than can be shown.
    [[nodiscard]] std::string share(double ticks) const {
        if (!times_ || times_->total == 0) return "";
        const double part = ticks / times_->total;
        return part < kLeastShare ? "" : format_percent(part);
    }

    void line(std::size_t level, const std::string& text) {
        if (limits_.depth != 0 && level > limits_.depth) return;
        if (times_) {
            constexpr std::size_t kWidth = 8;
            const std::string padding(kWidth - std::min(kWidth, share_.size()), ' ');
            console_.out() << padding << console_.paint(Style::dim, share_);
        }
        console_.out() << std::string(2 * level, ' ') << text << '\n';
        share_.clear();
        ++size_.lines;
    }

    const ListedScript& script_;
    const ParticipantNames& participants_;
    const std::optional<LineTimes>& times_;
    std::string share_;  ///< of the next line
    ListingLimits limits_;
    Console& console_;
    std::vector<double> weights_;         ///< by node, each time it is come by
    bool refers_;                         ///< to calls that were named before
    std::vector<bool> named_;             ///< by node
    std::map<u32, std::size_t> numbers_;  ///< of calls whose name others have too
    std::map<u32, u64> labels_;  ///< of loops that stand in several places; 0: not printed yet
    u64 last_label_ = 0;
    std::string again_;  ///< calls and loops for the next line, printed before
    std::size_t again_level_ = 0;
    double again_ticks_ = 0;
    ListingSize size_;
};

}  // namespace

ListingSize print_script(const ListedScript& script, const ParticipantNames& participants,
                         const std::optional<LineTimes>& times, const ListingLimits& limits,
                         Console& console) {
    return ScriptPrinter(script, participants, times, limits, console).run();
}

}  // namespace tracefold
