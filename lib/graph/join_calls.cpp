// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "graph/view_groups.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

namespace tracefold {

namespace {

/// Calls alike whose sizes differ by more than this factor are for different purposes.
constexpr u64 kSimilarSizes = 2;

/// What calls that one node may stand for have in common: name, regions, loop, the call before.
using Likeness = std::tuple<std::string, u32, u32, std::string>;

/// Finds calls that are alike.
class CallJoiner {
  public:
    explicit CallJoiner(const FlowView& view)
        : view_(view), loop_of_(view.loop_of()), groups_(num_vertices(view.graph)) {
        for (FlowVertex v = 0; v < num_vertices(view.graph); ++v) alike_.push_back(likeness_of(v));
    }

    ViewGroups& run() {
        for (const FlowEdgeId id : boost::make_iterator_range(edges(view_.graph))) {
            const FlowVertex from = source(id, view_.graph);
            const FlowVertex to = target(id, view_.graph);
            if (alike_[from] && alike_[from] == alike_[to]) groups_.union_set(from, to);
        }
        join_similar_sizes();
        return groups_;
    }

    [[nodiscard]] bool is_joined(FlowVertex v) const { return alike_[v].has_value(); }

  private:
    /// Nothing for nodes that stay alone.
    [[nodiscard]] std::optional<Likeness> likeness_of(FlowVertex v) const {
        const Signature& own = view_.graph[v].signature;
        const bool call = own.kind == CallKind::call && view_.size_of(v) == 1;
        if (v <= kEndVertex || !call) return std::nullopt;
        const std::string& before = own.context == kNone ? own.name : speaker_of(own).name;
        return Likeness{own.name, own.path, loop_of_[v], before};
    }

    /// The signature with the arguments: that of the call before, for calls told apart by it.
    [[nodiscard]] const Signature& speaker_of(const Signature& own) const {
        return own.context == kNone ? own : (*view_.whole)[own.context].signature;
    }

    /// Its size, and the other arguments but for peers.
    [[nodiscard]] std::pair<std::vector<u64>, u64> size_of(FlowVertex v) const {
        std::pair<std::vector<u64>, u64> out;
        for (const SignatureArgument& argument : speaker_of(view_.graph[v].signature).arguments) {
            if (argument.kind == FieldKind::bytes) {
                out.second += argument.value;
            } else if (argument.kind != FieldKind::peer) {
                out.first.push_back(argument.value);
            }
        }
        return out;
    }

    void join_similar_sizes() {
        using Key = std::pair<Likeness, std::vector<u64>>;
        std::map<Key, std::vector<std::pair<u64, FlowVertex>>> sizes;
        for (FlowVertex v = 0; v < alike_.size(); ++v) {
            if (!alike_[v]) continue;
            auto [others, size] = size_of(v);
            sizes[{*alike_[v], std::move(others)}].emplace_back(size, v);
        }
        for (auto& [key, nodes] : sizes) {
            std::sort(nodes.begin(), nodes.end());
            for (std::size_t i = 1; i < nodes.size(); ++i) {
                if (nodes[i].first > kSimilarSizes * nodes[i - 1].first) continue;
                groups_.union_set(nodes[i - 1].second, nodes[i].second);
            }
        }
    }

    const FlowView& view_;
    std::vector<u32> loop_of_;
    std::vector<std::optional<Likeness>> alike_;  ///< by vertex
    ViewGroups groups_;
};

}  // namespace

FlowView join_calls(const FlowView& view) {
    CallJoiner joiner(view);
    return grouped(view, joiner.run(), PartRule::calls,
                   [&](FlowEdgeId id) { return joiner.is_joined(source(id, view.graph)); });
}

}  // namespace tracefold
