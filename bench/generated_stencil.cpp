// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "generated_stencil.hpp"

#include "event_recorder.hpp"

namespace tracefold {

namespace {

constexpr u64 kEdge = 16;  ///< numbers along an edge of a halo
constexpr u64 kTag = 0;
constexpr u64 kEventsAround = 26;  ///< besides the steps

/// The largest divisor of `number` that is not above its `root`-th root.
u64 divisor_near_root(u64 number, unsigned root) {
    u64 best = 1;
    for (u64 i = 1; (root == 3 ? i * i * i : i * i) <= number; ++i) {
        if (number % i == 0) best = i;
    }
    return best;
}

}  // namespace

GeneratedStencil::GeneratedStencil(u64 ranks, unsigned dimensions, bool periodic)
    : dimensions_(dimensions), periodic_(periodic) {
    for (unsigned left = dimensions; left > 1; --left) {
        size_[left - 1] = divisor_near_root(ranks, left);
        ranks /= size_[left - 1];
    }
    size_[0] = ranks;
}

std::vector<u64> GeneratedStencil::grid() const {
    return {size_.begin(), size_.begin() + dimensions_};
}

std::vector<GeneratedStencil::Neighbour> GeneratedStencil::neighbours(u64 rank) const {
    const std::array<u64, 3> place{rank % size_[0], rank / size_[0] % size_[1],
                                   rank / size_[0] / size_[1]};
    std::vector<Neighbour> found;
    unsigned directions = 1;
    for (unsigned d = 0; d < dimensions_; ++d) directions *= 3;
    for (unsigned direction = 0; direction < directions; ++direction) {
        Neighbour neighbour{0, sizeof(double)};
        u64 step = 1;
        unsigned digits = direction;
        bool inside = true;
        bool moved = false;
        for (unsigned d = 0; d < dimensions_; ++d, digits /= 3) {
            u64 at = place[d] + digits % 3 - 1;
            inside = inside && (periodic_ || at < size_[d]);
            at = (at + size_[d]) % size_[d];
            if (digits % 3 == 1) neighbour.bytes *= kEdge;
            moved = moved || digits % 3 != 1;
            neighbour.rank += at * step;
            step *= size_[d];
        }
        if (inside && moved) found.push_back(neighbour);
    }
    return found;
}

u64 GeneratedStencil::events(u64 rank, u64 steps) const {
    const u64 count = neighbours(rank).size();
    // Enter, record and Leave of each receive and send, and their completions in one Waitall.
    return kEventsAround + steps * (count * 8 + 2);
}

void GeneratedStencil::write(ArchiveWriter& writer, const GeneratedDefinitions& definitions,
                             u64 rank, u64 steps) const {
    const std::vector<Neighbour> all = neighbours(rank);
    EventRecorder out(writer, definitions, rank);
    out.begin_program();
    std::vector<u64> completed;
    for (u64 step = 0; step < steps; ++step) {
        completed.clear();
        for (std::size_t i = 0; i < all.size(); ++i) completed.push_back(out.irecv());
        for (const Neighbour& to : all) completed.push_back(out.isend(to.rank, kTag, to.bytes));
        out.enter("MPI_Waitall");
        for (std::size_t i = 0; i < all.size(); ++i) {
            out.received(all[i].rank, kTag, all[i].bytes, completed[i]);
        }
        for (std::size_t i = 0; i < all.size(); ++i) out.sent(completed[all.size() + i]);
        out.leave();
        out.flush();
    }
    out.end_program();
}

}  // namespace tracefold
