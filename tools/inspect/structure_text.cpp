// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/argument_text.hpp"
#include "inspect/structure.hpp"

#include <algorithm>
#include <cmath>
#include <map>

namespace tracefold {

namespace {

class ScriptPrinter {
  public:
    ScriptPrinter(const ListedScript& script, const ParticipantNames& participants,
                  const std::optional<LineTimes>& times, const ListingLimits& limits,
                  Console& console)
        : script_(script),
          participants_(participants),
          times_(times),
          limits_(limits),
          console_(console) {
        std::vector<u32> places(script.nodes.size(), 0);
        const auto count = [&places](const std::vector<u32>& body) {
            for (const u32 item : body) ++places[item];
        };
        count(script.root);
        for (const ListedNode& node : script.nodes) count(node.body);
        for (u32 node = 0; node < places.size(); ++node) {
            const bool is_loop = script.nodes[node].kind == ListedNode::Kind::loop;
            if (is_loop && places[node] > 1) labels_.emplace(node, 0);
        }
    }

    void run() {
        u64 executions = 0;
        for (const ListedNode& node : script_.nodes) {
            if (node.kind != ListedNode::Kind::loop) executions += node.executions;
        }
        const std::string who = participants_.text(script_.participants);
        console_.out() << console_.paint(Style::bold, who) << "  "
                       << console_.paint(Style::dim, format_count(executions) + " calls") << '\n';
        body(script_.root, 1, static_cast<double>(script_.participants.size()));
    }

  private:
    /// `times`: how often the body is run through by all participants.
    void body(const std::vector<u32>& items, std::size_t level, double times) {
        std::size_t inner = level;
        const std::size_t shown =
            limits_.width == 0 ? items.size() : std::min<std::size_t>(items.size(), limits_.width);
        for (std::size_t i = 0; i < shown; ++i) inner = item(items[i], level, inner, times);
        if (shown < items.size()) {
            line(inner, console_.paint(Style::dim, "... " + std::to_string(items.size() - shown) +
                                                       " more items"));
        }
    }

    /// Prints an item of a body that starts at level `base`; returns the level of the next item.
    std::size_t item(u32 number, std::size_t base, std::size_t level, double times) {
        share_ = share(number, times);
        const ListedNode& node = script_.nodes[number];
        const std::string name = printable(node.name);
        const std::string count = count_text(node.counts);
        const std::string arguments = printable(arguments_text(node, participants_));
        const std::string tail = count + (arguments.empty() ? "" : " " + arguments);
        switch (node.kind) {
            case ListedNode::Kind::loop:
                loop(number, count, level, times);
                return level;
            case ListedNode::Kind::enter:
                line(level, name + tail + " {");
                return level + 1;
            case ListedNode::Kind::leave:
                // A loop whose body begins inside of a region leaves more than it enters.
                if (level == base) {
                    line(level, "} " + name + tail);
                    return level;
                }
                line(level - 1, "}" + tail);
                return level - 1;
            case ListedNode::Kind::call:
            case ListedNode::Kind::record:
                break;
        }
        line(level, name + tail);
        return level;
    }

    /// Loops that stand in several places are printed at the first one and referred to later.
    void loop(u32 number, const std::string& count, std::size_t level, double times) {
        std::string title = console_.paint(Style::bold, "loop") + count;
        const auto label = labels_.find(number);
        bool again = false;
        if (label != labels_.end()) {
            again = label->second != 0;
            if (!again) label->second = ++last_label_;
            title += " [L" + std::to_string(label->second) + (again ? " as above]" : "]");
        }
        const std::vector<u32>& items = script_.nodes[number].body;
        if (limits_.depth != 0 && level >= limits_.depth && !again) {
            title += console_.paint(Style::dim, " ... " + std::to_string(items.size()) + " items");
        }
        line(level, title);
        const bool deeper = !again && !(limits_.depth != 0 && level >= limits_.depth);
        if (deeper) body(items, level + 1, times_ ? times * times_->iterations[number] : 0);
    }

    /// "12.3 %", empty without times and for less than can be shown.
    [[nodiscard]] std::string share(u32 number, double times) const {
        if (!times_ || times_->total == 0) return "";
        const auto permille = std::lround(1000 * times * times_->per_visit[number] / times_->total);
        if (permille == 0) return "";
        return std::to_string(permille / 10) + "." + std::to_string(permille % 10) + " %";
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
    }

    const ListedScript& script_;
    const ParticipantNames& participants_;
    const std::optional<LineTimes>& times_;
    std::string share_;  ///< of the next line
    ListingLimits limits_;
    Console& console_;
    std::map<u32, u64> labels_;  ///< of loops that stand in several places; 0: not printed yet
    u64 last_label_ = 0;
};

}  // namespace

void print_script(const ListedScript& script, const ParticipantNames& participants,
                  const std::optional<LineTimes>& times, const ListingLimits& limits,
                  Console& console) {
    ScriptPrinter(script, participants, times, limits, console).run();
}

}  // namespace tracefold
