// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/vector_sizes.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

[[noreturn]] void fail_uneven() {
    throw Error(ErrorKind::corrupt,
                "the members of a communicator took part in different numbers of collectives");
}

}  // namespace

void VectorSizes::record(u32 rank, u64 comm, const Contribution& sizes) {
    Sequence& sequence = sequences_[{rank, comm}];
    sequence.sent.push(sizes.sent);
    sequence.received.push(sizes.received);
    ++sequence.count;
}

void VectorSizes::finish() {
    for (auto& [key, sequence] : sequences_) {
        sequence.columns[0] = sequence.sent.finish(pool_);
        sequence.columns[1] = sequence.received.finish(pool_);
    }
}

VectorSizes::Walk::Group& VectorSizes::Walk::group(u64 comm, std::span<const u64> members) {
    const auto [place, is_new] = groups_.try_emplace(comm);
    Group& group = place->second;
    if (!is_new) return group;
    group.left = ~u64{0};
    for (const u64 member : members) {
        const auto found = sizes_.sequences_.find({static_cast<u32>(member), comm});
        if (found == sizes_.sequences_.end()) fail_uneven();
        const FoldedSource source{sizes_.pool_.patterns(), sizes_.pool_.columns()};
        for (const u32 column : found->second.columns) group.cursors.emplace_back(source, column);
        group.left = std::min(group.left, found->second.count);
    }
    group.sizes.resize(members.size());
    return group;
}

std::span<const Contribution> VectorSizes::Walk::next(u64 comm, std::span<const u64> members) {
    Group& known = group(comm, members);
    for (u64 rounds = 1 + std::exchange(skipped_[comm], 0); rounds > 0; --rounds) {
        if (known.left-- == 0) fail_uneven();
        for (std::size_t i = 0; i < known.sizes.size(); ++i) {
            known.sizes[i].sent = known.cursors[2 * i].next();
            known.sizes[i].received = known.cursors[2 * i + 1].next();
        }
    }
    return known.sizes;
}

}  // namespace tracefold
