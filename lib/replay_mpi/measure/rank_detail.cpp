// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/measure/rank_detail.hpp"

#include <algorithm>
#include <bit>

namespace tracefold {

namespace {

void put(ByteWriter& out, double value) { out.put_u64le(std::bit_cast<u64>(value)); }
double get_double(ByteReader& in) { return std::bit_cast<double>(in.get_u64le()); }

void put(ByteWriter& out, const RankTimes& times) {
    put(out, times.wall);
    put(out, times.communication);
}
RankTimes get_times(ByteReader& in) {
    const double wall = get_double(in);
    return {wall, get_double(in)};
}

void put(ByteWriter& out, const CallTotals& totals) {
    out.put_varint(static_cast<u64>(totals.function));
    out.put_varint(totals.calls);
    out.put_varint(totals.sent);
    out.put_varint(totals.received);
    put(out, totals.recorded);
    put(out, totals.replayed);
}
CallTotals get_totals(ByteReader& in) {
    CallTotals totals;
    totals.function = static_cast<MpiFunction>(
        std::min<u64>(in.get_varint(), static_cast<u64>(MpiFunction::other)));
    totals.calls = in.get_varint();
    totals.sent = in.get_varint();
    totals.received = in.get_varint();
    totals.recorded = get_double(in);
    totals.replayed = get_double(in);
    return totals;
}

void put(ByteWriter& out, const PeerMessages& peer) {
    out.put_varint(peer.peer);
    out.put_varint(peer.messages);
    out.put_varint(peer.bytes);
}
PeerMessages get_peer(ByteReader& in) {
    PeerMessages peer;
    peer.peer = in.get_varint();
    peer.messages = in.get_varint();
    peer.bytes = in.get_varint();
    return peer;
}

void put(ByteWriter& out, const RankDetail& detail) {
    out.put_varint(detail.rank);
    out.put_varint(detail.host.size());
    out.put_bytes(detail.host);
    out.put_varint(detail.threads);
    put(out, detail.recorded);
    put(out, detail.replayed);
    put(out, detail.asked_computation);
    out.put_varint(detail.calls.size());
    for (const CallTotals& totals : detail.calls) put(out, totals);
    out.put_varint(detail.peers.size());
    for (const PeerMessages& peer : detail.peers) put(out, peer);
    put(out, detail.other_peers);
}
RankDetail get_detail(ByteReader& in) {
    RankDetail detail;
    detail.rank = in.get_varint();
    detail.host = in.get_bytes(in.get_varint());
    detail.threads = in.get_varint();
    detail.recorded = get_times(in);
    detail.replayed = get_times(in);
    detail.asked_computation = get_double(in);
    for (u64 left = in.get_count(1); left > 0; --left) detail.calls.push_back(get_totals(in));
    for (u64 left = in.get_count(1); left > 0; --left) detail.peers.push_back(get_peer(in));
    detail.other_peers = get_peer(in);
    return detail;
}

bool is_slower(const RankDetail& a, const RankDetail& b) {
    return a.replayed.wall != b.replayed.wall ? a.replayed.wall > b.replayed.wall : a.rank < b.rank;
}

}  // namespace

void RankSelection::add(RankDetail detail) {
    ranks_.push_back(std::move(detail));
    shorten();
}

void RankSelection::merge(std::string_view bytes) {
    ByteReader in(bytes, "the report of another process");
    for (u64 left = in.get_count(1); left > 0; --left) ranks_.push_back(get_detail(in));
    shorten();
}

std::string RankSelection::encoded() const {
    ByteWriter out;
    out.put_varint(ranks_.size());
    for (const RankDetail& detail : ranks_) put(out, detail);
    return out.take();
}

/// Keeps the ranks below the limit, and as many of the slowest ones.
void RankSelection::shorten() {
    const auto by_rank = [](const RankDetail& a, const RankDetail& b) { return a.rank < b.rank; };
    if (ranks_.size() > limit_) {
        std::sort(ranks_.begin(), ranks_.end(), is_slower);
        const auto rest = ranks_.begin() + static_cast<std::ptrdiff_t>(limit_);
        ranks_.erase(std::remove_if(rest, ranks_.end(),
                                    [this](const RankDetail& d) { return d.rank >= limit_; }),
                     ranks_.end());
    }
    std::sort(ranks_.begin(), ranks_.end(), by_rank);
}

}  // namespace tracefold
