// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/meetings.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Roots of an intercommunicator differ on its two sides, and who takes no part says so.
constexpr u32 kFirstSpecialRoot = 0xFFFFFFF0U;

bool same_root(const CollectivePart& a, const CollectivePart& b) {
    return a.root == b.root || a.root >= kFirstSpecialRoot || b.root >= kFirstSpecialRoot;
}

}  // namespace

u64 Meetings::arrive(u32 number, const Arrival& arrival, const CollectivePart& part) {
    Room& room = rooms_[number];
    u64& visits = room.visits[arrival.rank];
    // Meetings may have been given up without this member.
    visits = std::max(visits, room.first);
    const u64 at = visits++;
    while (at >= room.first + room.open.size()) room.open.emplace_back();
    Meeting& meeting = room.open[at - room.first];
    if (meeting.present.empty()) meeting.part = part;
    meeting.alike =
        meeting.alike && meeting.part.kind == part.kind && same_root(meeting.part, part);
    meeting.present.push_back(arrival);
    meeting.sent += part.sent;
    meeting.received += part.received;
    return at;
}

bool Meetings::is_over(u32 number, u64 at) const {
    const Room& room = rooms_[number];
    return at < room.first || room.open[at - room.first].over;
}

void Meetings::end(u32 number, u64 at) {
    Room& room = rooms_[number];
    meeting(number, at).over = true;
    while (!room.open.empty() && room.open.front().over) {
        room.open.pop_front();
        ++room.first;
    }
}

std::vector<u32> Meetings::absent(u32 number, u64 at) {
    std::vector<u32> missing;
    for (const u32 rank : rooms_[number].members) {
        const auto& present = meeting(number, at).present;
        const bool came = std::any_of(present.begin(), present.end(),
                                      [rank](const Arrival& a) { return a.rank == rank; });
        if (!came) missing.push_back(rank);
    }
    return missing;
}

}  // namespace tracefold
