// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/steps/step_messages.hpp"

#include <optional>
#include <span>

namespace tracefold {

namespace {

using Kind = Operation::Kind;

std::span<const Operation> operations_of(const Operations& all, const std::vector<Cut>& cuts,
                                         std::size_t step, u32 rank) {
    const std::span<const Operation> own(all.ranks[rank].operations);
    return own.subspan(cuts[step][rank], cuts[step + 1][rank] - cuts[step][rank]);
}

/// Nullopt if a step consists of something else.
std::optional<std::vector<u32>> rounds_of(const Operations& all, std::span<const Operation> step,
                                          u32 rank) {
    std::vector<u32> rounds;
    bool sent = false;
    for (const Operation& one : step) {
        if (one.kind == Kind::access) return std::nullopt;
        if (one.kind != Kind::send && one.kind != Kind::receive) continue;
        const bool sends = one.kind == Kind::send;
        const Channel& channel = all.channels[one.channel];
        const u32 number = rank ^ (sends ? channel.receiver : channel.sender);
        if (sends == sent || (!sends && number != rounds.back())) return std::nullopt;
        if (sends) rounds.push_back(number);
        sent = sends;
    }
    return sent ? std::nullopt : std::optional(std::move(rounds));
}

}  // namespace

std::vector<u32> exchange_rounds(const Operations& all, const std::vector<Cut>& cuts) {
    std::optional<std::vector<u32>> known;
    for (std::size_t step = 0; step + 1 < cuts.size(); ++step) {
        for (u32 rank = 0; rank < all.ranks.size(); ++rank) {
            std::optional<std::vector<u32>> own =
                rounds_of(all, operations_of(all, cuts, step, rank), rank);
            if (!own || (known && own != known)) return {};
            if (!known) known = std::move(own);
        }
    }
    return known.value_or(std::vector<u32>());
}

bool messages_grow(const Operations& all, const std::vector<Cut>& cuts, u32 rank) {
    constexpr int kLeastSizes = 4;
    u64 first = 0;
    u64 last = 0;
    int sizes = 0;
    for (std::size_t step = 0; step + 1 < cuts.size(); ++step) {
        u64 sent = 0;
        for (const Operation& one : operations_of(all, cuts, step, rank)) {
            if (one.kind == Kind::send) sent += one.size;
        }
        if (sent < last) return false;
        sizes += sent > last ? 1 : 0;
        if (step == 0) first = sent;
        last = sent;
    }
    return sizes >= kLeastSizes && last >= 2 * first;
}

}  // namespace tracefold
