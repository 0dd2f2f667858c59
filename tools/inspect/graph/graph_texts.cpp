// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.hpp"
#include "inspect/graph/graph.hpp"
#include "mpi/program_steps.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kMostLabelWidth = 36;
constexpr std::size_t kMostLabelLines = 4;
constexpr std::size_t kMostParts = 8;

/// Limits the number and width of lines; `line_end` separates them.
std::string limited(const std::string& text, const std::string& line_end) {
    std::string out;
    std::size_t lines = 0;
    std::string_view rest = text;
    while (!rest.empty()) {
        if (++lines > kMostLabelLines) return out + line_end + "...";
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        const std::string_view shown = fit(line, kMostLabelWidth);
        out.append(out.empty() ? "" : line_end).append(shown);
        if (shown.size() < line.size()) out += "...";
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
}

/// "12", or "~12.5".
std::string number_text(double mean) {
    if (std::floor(mean) == mean || mean >= 100) {
        return format_count(static_cast<u64>(std::llround(mean)));
    }
    const u64 tenths = static_cast<u64>(std::llround(mean * 10));
    return fmt::format("~{}.{}", tenths / 10, tenths % 10);
}

/// The mean count per participant, as number_text().
std::string mean_text(u64 count, u64 participants) {
    if (participants == 0) return "0";
    return number_text(static_cast<double>(count) / static_cast<double>(participants));
}

/// Number and time of several calls.
struct Sum {
    ParticipantList participants;
    u64 visits = 0;
    TickSummary time;
};

/// Mean iterations per participant, over all entries.
double rounds_of(const FlowLoop& loop) {
    return loop.iterations * static_cast<double>(loop.entries) /
           static_cast<double>(loop.participants);
}

/// A graph counts visits of calls. The loop of the steps has about as many iterations as the
/// program has steps, but calls of steps occur outside of it too, and other loops may be similar.
bool may_be_steps(const FlowLoop& loop, u64 steps) {
    constexpr double kAbout = 0.2;
    const auto expected = static_cast<double>(steps);
    return loop.depth == 0 && std::abs(rounds_of(loop) - expected) <= kAbout * expected;
}

/// The loop of the steps, if any: the candidate with most visits.
const FlowLoop* loop_of_steps(const FlowView& view, u64 steps) {
    const auto visits = [&view](const FlowLoop& loop) {
        u64 sum = 0;
        for (const FlowVertex v : loop.nodes) sum += view.graph[v].visits;
        return sum;
    };
    const FlowLoop* found = nullptr;
    for (const FlowLoop& loop : view.loops) {
        if (!may_be_steps(loop, steps)) continue;
        if (found == nullptr || visits(loop) > visits(*found)) found = &loop;
    }
    return found;
}

class Texts {
  public:
    Texts(const LoadedGraph& loaded, const FlowView& view) : loaded_(loaded), view_(view) {
        if (!view.loops.empty()) {
            if (const auto steps = find_program_steps(loaded.file())) steps_ = steps->count;
        }
        if (steps_ != 0) loop_of_steps_ = loop_of_steps(view, steps_);
        const FlowGraph& graph = view.graph;
        for (FlowVertex v = 0; v < num_vertices(graph); ++v) ticks_ += graph[v].time.total;
        for (const FlowEdgeId id : boost::make_iterator_range(edges(graph))) {
            ticks_ += graph[id].time.total;
        }
    }

    [[nodiscard]] std::string node(FlowVertex v) const {
        const std::vector<ViewPart>& parts = view_.parts[v];
        if (parts.size() == 1) {
            const std::string often = how_often(sum_of(parts.front()));
            return what_text(parts.front(), "\n") + (often.empty() ? "" : "\n" + often);
        }
        std::string text;
        for (std::size_t i = 0; i < std::min(parts.size(), kMostParts); ++i) {
            if (i != 0) text += "\n";
            text += chain_text(parts[i]);
        }
        if (parts.size() > kMostParts) {
            text += fmt::format("\n... {} more", parts.size() - kMostParts);
        }
        return text;
    }

    /// A single visit needs no count.
    [[nodiscard]] std::string edge(FlowEdgeId id) const {
        const FlowEdge& edge = view_.graph[id];
        const u64 participants = edge.participants().size();
        if (edge.count == participants) return "";
        std::string text = times_text(edge.count, participants);
        if (edge.time.count != 0) text += "\n" + mean_time(edge.time);
        return text;
    }

    /// Iterations: in total at the outermost level, per entry in nested loops; for the step loop
    /// the number of program steps (docs/reference/steps.md).
    [[nodiscard]] std::string loop(const FlowLoop& loop) const {
        const double runs =
            static_cast<double>(loop.entries) / static_cast<double>(loop.participants);
        std::string text;
        if (&loop == loop_of_steps_) {
            text = std::to_string(steps_) + " steps";
        } else if (runs <= 1) {
            text = number_text(loop.iterations) + " iterations";
        } else if (loop.depth > 0) {
            text = number_text(loop.iterations) + " iterations each";
        } else {
            text = number_text(rounds_of(loop)) + " iterations in " + number_text(runs) + " runs";
        }
        if (ticks_ == 0) return text;
        return text + "\n" + format_percent(loop.ticks / ticks_, 0) + " of the time";
    }

  private:
    [[nodiscard]] Sum sum_of(const ViewPart& part) const {
        Sum sum;
        for (const FlowVertex v : part.nodes) {
            const FlowNode& node = loaded_.graph()[v];
            sum.participants.unite(node.participants);
            sum.visits += node.visits;
            sum.time.add(node.time);
        }
        return sum;
    }

    [[nodiscard]] std::string how_often(const Sum& sum) const {
        const std::string times = times_text(sum.visits, sum.participants.size());
        if (sum.time.total == 0) return times;
        return times.empty() ? mean_time(sum.time) : times + ", " + mean_time(sum.time);
    }

    /// One of several parts of a node: calls and count, with the arguments below.
    [[nodiscard]] std::string chain_text(const ViewPart& part) const {
        std::string text = what_text(part, "\n    ");
        const std::string often = how_often(sum_of(part));
        const std::size_t name = std::min(text.find('\n'), text.size());
        return often.empty() ? text : text.insert(name, "  " + often);
    }

    /// The content of its nodes; argument lines begin with `line`.
    [[nodiscard]] std::string what_text(const ViewPart& part, const std::string& line) const {
        const std::string size = std::to_string(part.nodes.size());
        if (part.kind == ViewPart::Kind::loop) return "loop of " + size + " calls";
        if (part.kind == ViewPart::Kind::others) return size + " others";
        std::string text = printable(loaded_.graph()[part.nodes.front()].signature.name);
        const std::string arguments = limited(label_arguments(part), line);
        return arguments.empty() ? text : text + line + arguments;
    }

    /// The significant arguments: its own or, for calls without, those of the preceding calls.
    [[nodiscard]] std::vector<std::string> argument_list(const ViewPart& part) const {
        std::vector<FlowVertex> speakers;
        std::string before;
        for (const FlowVertex v : part.nodes) {
            const u32 context = loaded_.graph()[v].signature.context;
            const bool own = context == kNone || context <= kEndVertex;
            speakers.push_back(own ? v : context);
            if (!own) before = loaded_.graph()[context].signature.name;
        }
        std::vector<std::string> list;
        for (const std::string& item : joint_arguments(loaded_, speakers)) {
            if (!item.starts_with("comm MPI_COMM_WORLD") && item != "0 B") list.push_back(item);
        }
        if (!before.empty() && !list.empty()) list.insert(list.begin(), "after " + before);
        return list;
    }

    /// The arguments in short lines.
    [[nodiscard]] std::string label_arguments(const ViewPart& part) const {
        std::string text;
        std::size_t width = 0;
        for (const std::string& item : argument_list(part)) {
            const std::string shown = printable(item);
            const bool fits = width + 2 + display_width(shown) <= kMostLabelWidth;
            if (!text.empty()) text += fits ? ", " : ",\n";
            width = (fits ? width + 2 : 0) + display_width(shown);
            text += shown;
        }
        return text;
    }

    /// "x 12", with the participants if not all; empty for one visit by each.
    [[nodiscard]] std::string times_text(u64 count, u64 participants) const {
        const std::size_t all = loaded_.locations().size();
        if (count == all && participants == all) return "";
        std::string text = "x " + mean_text(count, participants);
        if (participants == all) return text;
        return fmt::format("{} on {}/{}", text, participants, all);
    }

    [[nodiscard]] std::string mean_time(const TickSummary& time) const {
        return format_time(loaded_.seconds(time.mean()));
    }

    const LoadedGraph& loaded_;
    const FlowView& view_;
    u64 steps_ = 0;  ///< of the program; 0: none
    const FlowLoop* loop_of_steps_ = nullptr;
    double ticks_ = 0;
};

TimeUse use_of_node(const LoadedGraph& loaded, const FlowView& view, FlowVertex v) {
    const FlowNode& node = view.graph[v];
    if (v <= kEndVertex || node.participants.empty()) return TimeUse::computation;
    const TimeUse of_mpi = time_use_of_mpi(node.signature.name);
    if (of_mpi != TimeUse::computation) return of_mpi;
    return time_use_of(loaded.accelerator_use(node.signature.name, node.participants.first()));
}

/// "blue: point-to-point, orange: collective", of the nodes of the view.
std::string colour_text(const LoadedGraph& loaded, const FlowView& view) {
    std::array<bool, kTimeUses> seen{};
    for (FlowVertex v = 0; v < num_vertices(view.graph); ++v) {
        seen[static_cast<std::size_t>(use_of_node(loaded, view, v))] = true;
    }
    std::string text;
    for (std::size_t use = 1; use < kTimeUses; ++use) {
        const TimeUseInfo& info = time_use_info(static_cast<TimeUse>(use));
        if (!seen[use]) continue;
        text += fmt::format("{}{}: {}", text.empty() ? "" : ", ", info.word, info.name);
    }
    return text;
}

}  // namespace

GraphTexts graph_texts(const LoadedGraph& loaded, const FlowView& view) {
    const auto texts = std::make_shared<Texts>(loaded, view);
    ParticipantList all;
    for (const u32 location : loaded.locations()) all.add(location);
    const bool whole = num_vertices(view.graph) == num_vertices(loaded.graph());
    std::string title = printable(loaded.path() + ": " + loaded.names().text(all));
    if (!whole) {
        title += fmt::format(", {} events as {} nodes", num_vertices(loaded.graph()) - 2,
                             num_vertices(view.graph) - 2);
    }
    title += "\nx N: how often on each of them";
    if (loaded.has_times()) {
        title += ", with the mean time; red: half of the time between calls";
    }
    const std::string colours = colour_text(loaded, view);
    if (!colours.empty()) title += "\n" + colours;
    return {title, [texts](FlowVertex v) { return texts->node(v); },
            [texts](FlowEdgeId id) { return texts->edge(id); },
            [texts](const FlowLoop& loop) { return texts->loop(loop); },
            [&loaded, &view](FlowVertex v) { return use_of_node(loaded, view, v); }};
}

}  // namespace tracefold
