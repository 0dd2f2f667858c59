// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.hpp"
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

/// Listings with more lines refer to calls named before.
constexpr std::size_t kLongListing = 60;
/// Listed names of omitted calls.
constexpr std::size_t kMostNames = 4;
const std::string kLoop = "loop";
constexpr double kLeastShare = 0.0005;

std::size_t lines_in_full(const ListedScript& script) {
    std::size_t lines = script.root.size();
    for (const ListedNode& node : script.nodes) lines += node.body.size();
    return lines;
}

class ScriptTeller {
  public:
    ScriptTeller(const ListedScript& script, const ParticipantNames& participants,
                 const std::optional<LineTimes>& times, const ListingLimits& limits,
                 const Console& console)
        : script_(script),
          participants_(participants),
          times_(times),
          limits_(limits),
          console_(console),
          weights_(times ? times->per_visit : calls_per_visit(script)),
          refers_(!limits.repeats && lines_in_full(script) > kLongListing),
          lines_of_(script.nodes.size() + 1) {
        find_labels();
        find_lines(kNone, script.root);
        if (refers_) number_lines();
    }

    ScriptText run() {
        for (const ListedNode& node : script_.nodes) {
            const bool calls = node.kind == CallKind::call || node.kind == CallKind::enter;
            if (calls) out_.calls += node.executions;
        }
        out_.who = participants_.text(script_.participants);
        if (times_) out_.ticks = times_->total;
        body(kNone, 1, static_cast<double>(script_.participants.size()));
        return std::move(out_);
    }

  private:
    /// Text of a node: shared by places with the same behaviour.
    struct Line {
        u32 node = 0;
        std::string tail;        ///< counts and arguments
        std::size_t number = 0;  ///< among lines of calls with that name; 0: unique
        bool is_named = false;   ///< was printed
    };

    void find_labels() {
        std::vector<u32> places(script_.nodes.size(), 0);
        const auto count = [&places](const std::vector<u32>& body) {
            for (const u32 item : body) ++places[item];
        };
        count(script_.root);
        for (const ListedNode& node : script_.nodes) count(node.body);
        for (u32 node = 0; node < places.size(); ++node) {
            if (is_loop(node) && places[node] > 1) labels_.emplace(node, 0);
        }
    }

    /// Collects the lines of a body and its nested loops in print order.
    void find_lines(u32 body, const std::vector<u32>& items) {
        std::vector<u32>& lines = lines_in(body);
        if (!lines.empty()) return;
        lines.reserve(items.size());
        for (u32 i = 0; i < items.size(); ++i) {
            lines.push_back(line_of(items[i], script_.find({number_of(body), i})));
            if (is_loop(items[i])) find_lines(items[i], script_.nodes[items[i]].body);
        }
    }

    u32 line_of(u32 number, const ListedPlace* place) {
        const ListedNode& node = script_.nodes[number];
        const std::vector<ListedRecord>& records = place != nullptr ? place->records : node.records;
        std::string tail = count_text(place != nullptr ? place->counts : node.counts);
        const std::string arguments = printable(arguments_text(node, records, participants_));
        if (!arguments.empty()) tail.append(" ").append(arguments);
        if (node.is_pooled) tail += " [all places together]";
        const auto [known, fresh] =
            known_lines_.emplace(std::pair(number, tail), static_cast<u32>(lines_.size()));
        if (fresh) lines_.push_back({number, std::move(tail)});
        return known->second;
    }

    /// Numbers lines of calls with the same name.
    void number_lines() {
        std::map<std::string, std::vector<u32>> by_name;
        for (u32 line = 0; line < lines_.size(); ++line) {
            const u32 node = lines_[line].node;
            if (is_call(node)) by_name[script_.nodes[node].name].push_back(line);
        }
        for (const auto& [name, lines] : by_name) {
            if (lines.size() < 2) continue;
            for (std::size_t i = 0; i < lines.size(); ++i) lines_[lines[i]].number = i + 1;
        }
    }

    /// Of a body: kNone for the root, else its loop's node.
    std::vector<u32>& lines_in(u32 body) {
        return lines_of_[body == kNone ? script_.nodes.size() : body];
    }

    [[nodiscard]] const std::vector<u32>& items_of(u32 body) const {
        return body == kNone ? script_.root : script_.nodes[body].body;
    }

    /// Loop number as in places: loops follow the leaves.
    [[nodiscard]] u32 number_of(u32 body) const {
        return body == kNone ? kNone : body - script_.leaf_count;
    }

    [[nodiscard]] bool is_loop(u32 node) const { return script_.nodes[node].is_loop(); }

    [[nodiscard]] bool is_call(u32 node) const {
        const std::optional<CallKind> kind = script_.nodes[node].kind;
        return kind == CallKind::call || kind == CallKind::record;
    }

    /// "MPI_Isend", with its number if several lines of a long listing have that name.
    [[nodiscard]] std::string name_of(const Line& line) const {
        const std::string name = printable(script_.nodes[line.node].name);
        return line.number == 0 ? name : fmt::format("{} [{}]", name, line.number);
    }

    /// `times`: executions of the body over all participants.
    void body(u32 number, std::size_t level, double times) {
        const std::vector<u32>& items = items_of(number);
        const std::vector<u32>& lines = lines_in(number);
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
            inner = item(lines_[lines[i]], level, inner, times);
        }
        print_left_out(left_out, inner, times);
        print_again();
    }

    /// "... 37 more: 12 MPI_Comm_rank, 8 MPI_Iprobe, ..." for the items, which it consumes.
    void print_left_out(std::vector<u32>& items, std::size_t level, double times) {
        if (items.empty()) return;
        print_again();
        std::map<std::string, u64> names;
        u64 count = 0;
        double ticks = 0;
        for (const u32 item : items) {
            const ListedNode& node = script_.nodes[item];
            ticks += ticks_of(item, times);
            if (node.kind == CallKind::leave) continue;
            ++names[node.is_loop() ? kLoop : printable(node.name)];
            ++count;
        }
        share_ = share(ticks);
        line(level, console_.paint(Style::dim,
                                   fmt::format("... {} more: {}", count, most_frequent(names))));
        out_.left_out += count;
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

    /// Collects references to parts printed before for one line.
    void again(const std::string& what, std::size_t level, double ticks) {
        if (level != again_level_) print_again();
        again_.append(again_.empty() ? "" : ", ").append(what);
        again_level_ = level;
        again_ticks_ += ticks;
    }

    void print_again() {
        if (again_.empty()) return;
        share_ = share(std::exchange(again_ticks_, 0));
        line(again_level_, "again " + std::exchange(again_, ""));
    }

    /// Prints an item of a body that starts at level `base`; returns the level of the next item.
    std::size_t item(Line& told, std::size_t base, std::size_t level, double times) {
        const ListedNode& node = script_.nodes[told.node];
        if (refers_ && is_call(told.node) && told.is_named) {
            again(name_of(told), level, ticks_of(told.node, times));
            return level;
        }
        if (is_loop(told.node)) {
            loop(told, level, times);
            return level;
        }
        told.is_named = true;
        print_again();
        share_ = share(ticks_of(told.node, times));
        if (node.kind == CallKind::leave) return leave(told, base, level);
        const bool is_region = node.kind == CallKind::enter;
        line(level, name_of(told) + told.tail + (is_region ? " {" : ""), node.name);
        return is_region ? level + 1 : level;
    }

    std::size_t leave(const Line& told, std::size_t base, std::size_t level) {
        // A loop whose body begins within a region leaves more regions than it enters.
        if (level == base) {
            line(level, "} " + name_of(told) + told.tail);
            return level;
        }
        line(level - 1, "}" + told.tail);
        return level - 1;
    }

    /// Prints a loop with several places at the first one, and refers to it later.
    void loop(Line& told, std::size_t level, double times) {
        const u32 number = told.node;
        std::string title = console_.paint(Style::bold, "loop") + told.tail;
        const auto label = labels_.find(number);
        bool is_again = false;
        if (label != labels_.end()) {
            is_again = label->second != 0;
            if (!is_again) label->second = ++last_label_;
            title += fmt::format(" [L{}{}", label->second, is_again ? " as above]" : "]");
        }
        if (is_again && refers_) {
            const std::string name = "L" + std::to_string(label->second);
            again(told.is_named ? name : name + told.tail, level, ticks_of(number, times));
            return;
        }
        told.is_named = true;
        print_again();
        share_ = share(ticks_of(number, times));
        const std::vector<u32>& items = script_.nodes[number].body;
        if (limits_.depth != 0 && level >= limits_.depth && !is_again) {
            title += console_.paint(Style::dim, fmt::format(" ... {} items", items.size()));
        }
        line(level, title, kLoop);
        const bool deeper = !is_again && !(limits_.depth != 0 && level >= limits_.depth);
        if (deeper) body(number, level + 1, times_ ? times * times_->iterations[number] : 0);
    }

    /// Ticks of an item in a body that is executed `times` times.
    [[nodiscard]] double ticks_of(u32 number, double times) const {
        return times_ ? times * times_->per_visit[number] : 0;
    }

    /// "12.3 %"; empty without times or if too small.
    [[nodiscard]] std::string share(double ticks) {
        ticks_ = ticks;
        if (!times_ || times_->total == 0) return "";
        const double part = ticks / times_->total;
        return part < kLeastShare ? "" : format_percent(part);
    }

    void line(std::size_t level, const std::string& text, const std::string& name = "") {
        if (limits_.depth != 0 && level > limits_.depth) return;
        out_.lines.push_back({name, std::string(2 * level, ' ') + text, std::exchange(share_, ""),
                              std::exchange(ticks_, 0)});
    }

    const ListedScript& script_;
    const ParticipantNames& participants_;
    const std::optional<LineTimes>& times_;
    std::string share_;  ///< of the next line
    double ticks_ = 0;   ///< of the next line
    ListingLimits limits_;
    const Console& console_;
    std::vector<double> weights_;  ///< by node, per visit
    bool refers_;                  ///< to calls named before
    std::vector<Line> lines_;
    std::map<std::pair<u32, std::string>, u32> known_lines_;  ///< by node and tail
    std::vector<std::vector<u32>> lines_of_;                  ///< by loop node, then the root
    std::map<u32, u64> labels_;  ///< of loops with several places; 0: not printed yet
    u64 last_label_ = 0;
    std::string again_;  ///< calls and loops printed before, for the next line
    std::size_t again_level_ = 0;
    double again_ticks_ = 0;
    ScriptText out_;
};

}  // namespace

ScriptText script_text(const ListedScript& script, const ParticipantNames& participants,
                       const std::optional<LineTimes>& times, const ListingLimits& limits,
                       const Console& console) {
    return ScriptTeller(script, participants, times, limits, console).run();
}

}  // namespace tracefold
