// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/graph.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

namespace tracefold {

namespace {

constexpr std::size_t kMostLabelWidth = 36;
constexpr std::size_t kMostLabelLines = 4;

/// At most some lines of some width.
std::string limited(const std::string& text) {
    std::string out;
    std::size_t lines = 0;
    std::string_view rest = text;
    while (!rest.empty()) {
        if (++lines > kMostLabelLines) return out + "\n...";
        const std::size_t end = std::min(rest.find('\n'), rest.size());
        const std::string_view line = rest.substr(0, end);
        const std::string_view shown = fit(line, kMostLabelWidth);
        out.append(out.empty() ? "" : "\n").append(shown);
        if (shown.size() < line.size()) out += "...";
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
}

/// "12", or "12.5" where participants differ.
std::string mean_text(u64 count, u64 participants) {
    if (participants == 0) return "0";
    const double mean = static_cast<double>(count) / static_cast<double>(participants);
    if (std::floor(mean) == mean || mean >= 100) {
        return format_count(static_cast<u64>(std::llround(mean)));
    }
    const u64 tenths = static_cast<u64>(std::llround(mean * 10));
    return "~" + std::to_string(tenths / 10) + "." + std::to_string(tenths % 10);
}

class Texts {
  public:
    Texts(const LoadedGraph& loaded, const FlowGraph& view) : loaded_(loaded), view_(view) {
        for (FlowVertex v = 0; v < num_vertices(view); ++v) ticks_ += view[v].time.total;
        for (const FlowEdgeId id : boost::make_iterator_range(edges(view))) {
            ticks_ += view[id].time.total;
        }
    }

    [[nodiscard]] std::string node(FlowVertex v) const {
        const FlowNode& node = view_[v];
        std::string text = printable(node.signature.name);
        const std::string arguments = label_arguments(node);
        if (!arguments.empty()) text += "\n" + arguments;
        text = limited(text);
        text += "\n" + times_text(node.visits, node.participants.size());
        if (node.time.count != 0) text += ", " + mean_time(node.time);
        return text;
    }

    [[nodiscard]] std::string edge(FlowEdgeId id) const {
        const FlowEdge& edge = view_[id];
        std::string text = times_text(edge.count, edge.participants().size());
        if (edge.time.count != 0) text += "\n" + mean_time(edge.time);
        return text;
    }

    [[nodiscard]] std::string loop(const FlowLoop& loop) const {
        std::string text = "loop x ";
        text += mean_text(static_cast<u64>(std::llround(loop.iterations * 10)), 10);
        if (ticks_ != 0) {
            text +=
                ", " + std::to_string(std::llround(100 * loop.ticks / ticks_)) + " % of the time";
        }
        return text;
    }

  private:
    /// The arguments in short lines, without what goes without saying.
    [[nodiscard]] std::string label_arguments(const FlowNode& node) const {
        std::string text;
        std::size_t width = 0;
        std::vector<std::string> parts;
        if (node.signature.context != kNone && node.signature.context > kEndVertex) {
            const FlowNode& before = loaded_.graph()[node.signature.context];
            parts = loaded_.argument_list(before);
            parts.insert(parts.begin(), "after " + before.signature.name);
        } else {
            parts = loaded_.argument_list(node);
        }
        for (const std::string& part : parts) {
            const std::string shown = printable(part);
            if (shown == "comm MPI_COMM_WORLD" || shown == "0 B") continue;
            const bool fits = width + 2 + display_width(shown) <= kMostLabelWidth;
            if (!text.empty()) text += fits ? ", " : ",\n";
            width = (fits ? width + 2 : 0) + display_width(shown);
            text += shown;
        }
        return text;
    }

    /// "x 12" and who, if it is not everybody.
    [[nodiscard]] std::string times_text(u64 count, u64 participants) const {
        std::string text = "x " + mean_text(count, participants);
        if (participants != loaded_.locations().size()) {
            text += " on " + std::to_string(participants) + "/" +
                    std::to_string(loaded_.locations().size());
        }
        return text;
    }

    [[nodiscard]] std::string mean_time(const TickSummary& time) const {
        return format_time(loaded_.seconds(time.mean()));
    }

    const LoadedGraph& loaded_;
    const FlowGraph& view_;
    double ticks_ = 0;
};

}  // namespace

GraphTexts graph_texts(const LoadedGraph& loaded, const FlowGraph& view) {
    const auto texts = std::make_shared<Texts>(loaded, view);
    ParticipantList all;
    for (const u32 location : loaded.locations()) all.add(location);
    std::string title = printable(loaded.path() + ": " + loaded.names().text(all)) +
                        "\nx N: how often on each of them";
    if (loaded.has_times()) {
        title += ", with the mean time; red: half of the time between calls";
    }
    return {title, [texts](FlowVertex v) { return texts->node(v); },
            [texts](FlowEdgeId id) { return texts->edge(id); },
            [texts](const FlowLoop& loop) { return texts->loop(loop); }};
}

}  // namespace tracefold
