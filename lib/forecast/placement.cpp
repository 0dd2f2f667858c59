// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/placement.hpp"

#include "base/error.hpp"
#include "model/participant_names.hpp"
#include "questions/system/system_tree.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

#include <fmt/core.h>

namespace tracefold {

std::vector<u32> Placement::order() const {
    std::vector<u32> first(node_sizes.size() + 1);
    std::partial_sum(node_sizes.begin(), node_sizes.end(), first.begin() + 1);
    std::vector<u32> ranks(node_of_rank.size());
    for (u32 rank = 0; rank < ranks.size(); ++rank)
        ranks[first[node_of_rank[rank]] + core_of_rank[rank]] = rank;
    return ranks;
}

void Placement::assign(std::span<const u32> order) {
    std::size_t at = 0;
    for (u32 node = 0; node < node_sizes.size(); ++node) {
        for (u32 core = 0; core < node_sizes[node]; ++core) {
            const u32 rank = order[at++];
            node_of_rank[rank] = node;
            core_of_rank[rank] = core;
        }
    }
}

void Placement::deal() {
    u32 rank = 0;
    for (u32 core = 0; rank < node_of_rank.size(); ++core) {
        for (u32 node = 0; node < node_sizes.size(); ++node) {
            if (core >= node_sizes[node]) continue;
            node_of_rank[rank] = node;
            core_of_rank[rank++] = core;
        }
    }
}

Placement place_ranks(TraceFile& file, u32 ranks_per_node) {
    const u32 ranks = file.definitions().world_size();
    Placement placement;
    if (ranks_per_node == 0) {
        const ParticipantNames names(file.definitions());
        RankGroups groups = rank_groups(file, names, GroupBy::node);
        placement.is_recorded = groups.size() > 1 && groups.unknown == kNone;
        if (placement.is_recorded) placement.node_of_rank = std::move(groups.group_of);
        ranks_per_node = 1;
    }
    for (u32 rank = 0; rank < ranks; ++rank) {
        if (!placement.is_recorded) placement.node_of_rank.push_back(rank / ranks_per_node);
        const u32 node = placement.node_of_rank[rank];
        if (node >= placement.node_sizes.size()) placement.node_sizes.resize(node + 1);
        placement.core_of_rank.push_back(placement.node_sizes[node]++);
    }
    return placement;
}

std::string rank_order_text(std::span<const u32> order) {
    constexpr std::size_t kLineWidth = 98;
    std::string text;
    std::size_t line = 0;
    for (std::size_t at = 0; at < order.size();) {
        std::size_t end = at + 1;
        while (end < order.size() && order[end] == order[end - 1] + 1) ++end;
        const std::string part = end - at == 1 ? fmt::format("{}", order[at])
                                               : fmt::format("{}-{}", order[at], order[end - 1]);
        if (at != 0) text += ',';
        if (text.size() + part.size() - line > kLineWidth) {
            text += '\n';
            line = text.size();
        }
        text += part;
        at = end;
    }
    return text + '\n';
}

std::vector<u32> parse_rank_order(std::string_view text, u32 ranks, const std::string& name) {
    const auto refuse = [&](const std::string& why) {
        throw Error(ErrorKind::usage, "{} is no order of {} ranks: {}", name, ranks, why);
    };
    std::vector<u32> order;
    std::vector<bool> is_placed(ranks);
    const auto place = [&](u32 rank) {
        if (rank >= ranks) refuse(fmt::format("the trace has no rank {}", rank));
        if (is_placed[rank]) refuse(fmt::format("rank {} stands there twice", rank));
        is_placed[rank] = true;
        order.push_back(rank);
    };
    const char* at = text.data();
    const char* const end = at + text.size();
    const auto number = [&] {
        u32 value = 0;
        const auto [next, error] = std::from_chars(at, end, value);
        if (error != std::errc())
            refuse(fmt::format("rank {} is followed by something that is no number",
                               order.empty() ? 0 : order.back()));
        at = next;
        return value;
    };
    while (at != end) {
        if (*at == '#') {
            at = std::find(at, end, '\n');
        } else if (*at == ',' || *at == ' ' || *at == '\t' || *at == '\r' || *at == '\n') {
            ++at;
        } else {
            const u32 first = number();
            place(first);
            if (at == end || *at != '-') continue;
            ++at;
            const u32 last = number();
            for (u32 rank = first; rank < last;) place(++rank);
        }
    }
    const auto missing = std::ranges::find(is_placed, false);
    if (missing != is_placed.end())
        refuse(fmt::format("rank {} is missing", missing - is_placed.begin()));
    return order;
}

}  // namespace tracefold
