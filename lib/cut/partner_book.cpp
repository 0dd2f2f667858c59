// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "cut/partner_book.hpp"

#include <algorithm>

namespace tracefold {

namespace {

constexpr u8 kCancelled = 3;  ///< after the values of Side

u8 code(Side side) { return static_cast<u8>(side); }
u8 code(Verdict verdict) { return static_cast<u8>(verdict); }
bool is(const StateCursor& at, Side side) { return at.state() == code(side); }

Verdict take(StateCursor& next) {
    if (next.at_end()) return Verdict::keep;
    const auto verdict = static_cast<Verdict>(next.state());
    next.skip(1);
    return verdict;
}

/// What an end inside becomes.
Verdict towards(const StateCursor& other) {
    if (is(other, Side::outside)) return Verdict::drop;
    return is(other, Side::filtered) ? Verdict::alone : Verdict::keep;
}

/// Cancelled messages have no other end.
void pass_cancelled(StateCursor& at, StateRuns& verdicts) {
    while (!at.at_end() && at.state() == kCancelled) {
        verdicts.append(code(Verdict::keep), at.left());
        at.skip(at.left());
    }
}

bool is_selected(const std::vector<bool>& selected, u32 rank) {
    return rank < selected.size() && selected[rank];
}

}  // namespace

u32 PartnerBook::find(const Channel& channel) {
    const auto [found, fresh] = channels_.try_emplace(channel, static_cast<u32>(ends_.size()));
    if (fresh) ends_.push_back({channel, {}, {}, {}, {}});
    return found->second;
}

Verdict PartnerBook::message(u32 channel, bool sends, Side side) {
    Ends& ends = ends_[channel];
    if (settled_) return take(sends ? ends.sent_next : ends.received_next);
    (sends ? ends.sent : ends.received).append(code(side));
    return Verdict::keep;
}

void PartnerBook::cancel(u32 channel, u64 place) {
    if (!settled_) ends_[channel].sent.set(place, kCancelled);
}

Verdict PartnerBook::meet(Instances& instances, u32 rank, Side side) {
    if (!settled_) {
        instances.came[rank].append(code(side));
        return Verdict::keep;
    }
    return take(instances.next.try_emplace(rank, instances.verdicts).first->second);
}

void PartnerBook::settle(const std::vector<bool>& selected) {
    settled_ = true;
    for (Ends& ends : ends_) settle(ends, selected);
    for (auto& [context, instances] : contexts_) settle(instances, selected);
}

void PartnerBook::settle(Ends& ends, const std::vector<bool>& selected) {
    StateCursor sent(ends.sent);
    StateCursor received(ends.received);
    StateRuns of_sent;
    StateRuns of_received;
    const bool both = is_selected(selected, ends.channel.source) &&
                      is_selected(selected, ends.channel.destination);
    const auto alone = [&](StateCursor& at, StateRuns& verdicts) {
        const u64 count = at.left();
        const bool inside = is(at, Side::inside);
        // Without another end in the whole trace it is no cut that left it alone.
        verdicts.append(code(inside && !both ? Verdict::alone : Verdict::keep), count);
        if (inside && !both) counts_.lone_messages += count;
        at.skip(count);
    };
    while (true) {
        pass_cancelled(sent, of_sent);
        if (sent.at_end() && received.at_end()) break;
        if (sent.at_end()) {
            alone(received, of_received);
        } else if (received.at_end()) {
            alone(sent, of_sent);
        } else {
            const u64 count = std::min(sent.left(), received.left());
            const bool sends = is(sent, Side::inside);
            const bool receives = is(received, Side::inside);
            const Verdict sender = sends ? towards(received) : Verdict::keep;
            const Verdict receiver = receives ? towards(sent) : Verdict::keep;
            of_sent.append(code(sender), count);
            of_received.append(code(receiver), count);
            for (const Verdict verdict : {sender, receiver}) {
                if (verdict == Verdict::drop) counts_.cut_messages += count;
                if (verdict == Verdict::alone) counts_.lone_messages += count;
            }
            sent.skip(count);
            received.skip(count);
        }
    }
    ends.sent = std::move(of_sent);
    ends.received = std::move(of_received);
    ends.sent_next = StateCursor(ends.sent);
    ends.received_next = StateCursor(ends.received);
}

void PartnerBook::settle(Instances& instances, const std::vector<bool>& selected) {
    const bool partial = std::ranges::any_of(
        instances.members, [&selected](u32 rank) { return !is_selected(selected, rank); });
    std::vector<StateCursor> all;
    for (const auto& [rank, came] : instances.came) all.emplace_back(came);
    while (true) {
        std::erase_if(all, [](const StateCursor& at) { return at.at_end(); });
        if (all.empty()) break;
        const auto least = std::ranges::min_element(all, {}, &StateCursor::left);
        const u64 count = least->left();
        const auto any = [&all](Side side) {
            return std::ranges::any_of(all, [side](const StateCursor& at) { return is(at, side); });
        };
        instances.verdicts.append(code(judge(any(Side::inside), any(Side::outside),
                                             partial || any(Side::filtered), count)),
                                  count);
        for (StateCursor& at : all) at.skip(count);
    }
    instances.came.clear();
}

Verdict PartnerBook::judge(bool inside, bool outside, bool filtered, u64 count) {
    if (!inside) return Verdict::keep;
    if (outside) {
        counts_.cut_collectives += count;
        return Verdict::drop;
    }
    if (!filtered) return Verdict::keep;
    counts_.partial_collectives += count;
    return Verdict::alone;
}

}  // namespace tracefold
