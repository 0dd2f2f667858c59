// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/collectives/vector_collectives.hpp"

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "base/mpi.hpp"
#include "file/column_codec.hpp"
#include "fold/structure_pool.hpp"
#include "replay/collectives/collectives.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string>

namespace tracefold {

namespace {

/// A communicator of the given processes of another one, created and freed only by them.
class TemporaryCommunicator {
  public:
    TemporaryCommunicator(MPI_Comm world, const std::vector<int>& ranks, int tag) {
        MPI_Group all = MPI_GROUP_NULL;
        MPI_Group some = MPI_GROUP_NULL;
        check_mpi(PMPI_Comm_group(world, &all), "MPI_Comm_group");
        check_mpi(PMPI_Group_incl(all, static_cast<int>(ranks.size()), ranks.data(), &some),
                  "MPI_Group_incl");
        check_mpi(PMPI_Comm_create_group(world, some, tag, &comm_), "MPI_Comm_create_group");
        check_mpi(PMPI_Group_free(&some), "MPI_Group_free");
        check_mpi(PMPI_Group_free(&all), "MPI_Group_free");
    }
    TemporaryCommunicator(const TemporaryCommunicator&) = delete;
    TemporaryCommunicator& operator=(const TemporaryCommunicator&) = delete;
    ~TemporaryCommunicator() { PMPI_Comm_free(&comm_); }

    /// Gathers the bytes of all processes, by rank.
    [[nodiscard]] std::vector<std::string> all_gather(std::string_view mine, std::size_t size) {
        std::vector<int> sizes(size);
        const int own = static_cast<int>(mine.size());
        check_mpi(PMPI_Allgather(&own, 1, MPI_INT, sizes.data(), 1, MPI_INT, comm_),
                  "MPI_Allgather");
        if (std::accumulate(sizes.begin(), sizes.end(), i64{0}) > std::numeric_limits<int>::max()) {
            throw Error(ErrorKind::unsupported,
                        "the sizes of a communicator's collective calls take more than 2 GB");
        }
        std::vector<int> places(size);
        std::exclusive_scan(sizes.begin(), sizes.end(), places.begin(), 0);
        std::string bytes(static_cast<std::size_t>(places.back() + sizes.back()), '\0');
        check_mpi(PMPI_Allgatherv(mine.data(), own, MPI_BYTE, bytes.data(), sizes.data(),
                                  places.data(), MPI_BYTE, comm_),
                  "MPI_Allgatherv");
        std::vector<std::string> all;
        for (std::size_t i = 0; i < size; ++i) {
            all.push_back(bytes.substr(static_cast<std::size_t>(places[i]),
                                       static_cast<std::size_t>(sizes[i])));
        }
        return all;
    }

  private:
    MPI_Comm comm_ = MPI_COMM_NULL;
};

}  // namespace

void SizeExchange::record(u64 comm, const Contribution& sizes) {
    Recorded& recorded = recorded_[comm];
    ++recorded.count;
    recorded.sent.push(sizes.sent);
    recorded.received.push(sizes.received);
}

/// A member that recorded no such collective must take part as well.
std::vector<u64> SizeExchange::communicators_in_use(MPI_Comm world) const {
    std::vector<u8> used(table_.id_limit());
    for (const auto& [comm, recorded] : recorded_) used[comm] = 1;
    check_mpi(PMPI_Allreduce(MPI_IN_PLACE, used.data(), static_cast<int>(used.size()), MPI_UINT8_T,
                             MPI_BOR, world),
              "MPI_Allreduce");
    std::vector<u64> mine;
    for (const u64 comm : table_.own()) {
        if (used[comm] != 0) mine.push_back(comm);
    }
    return mine;
}

std::string SizeExchange::encode(u64 comm) {
    Recorded& recorded = recorded_[comm];
    StructurePool pool;
    const u32 sent = recorded.sent.finish(pool);
    const u32 received = recorded.received.finish(pool);
    ByteWriter out;
    out.put_varint(recorded.count);
    ColumnWriter columns(out, pool.patterns(), pool.columns());
    columns.put_column(sent);
    columns.put_column(received);
    return out.take();
}

void SizeExchange::gather(const CommunicatorView& view, std::string_view mine, MPI_Comm world,
                          Group& group) {
    const std::vector<u64> ranks = view.all_members();
    group.own = view.members.size();
    if (ranks.size() == 1) {
        group.encoded.emplace_back(mine);
        return;
    }
    std::vector<int> sorted(ranks.begin(), ranks.end());
    std::sort(sorted.begin(), sorted.end());
    TemporaryCommunicator comm(world, sorted, 0);
    const std::vector<std::string> all = comm.all_gather(mine, sorted.size());
    for (const u64 rank : ranks) {
        const auto place = std::lower_bound(sorted.begin(), sorted.end(), static_cast<int>(rank));
        group.encoded.push_back(all[static_cast<std::size_t>(place - sorted.begin())]);
    }
}

void SizeExchange::exchange(MPI_Comm world) {
    for (const u64 comm : communicators_in_use(world)) {
        gather(*table_.find(comm), encode(comm), world, groups_[comm]);
    }
    recorded_.clear();
}

void SizeExchange::decode(const std::string& bytes, Sequence& sequence) {
    FieldReader in(bytes, "the sizes of collectives");
    sequence.count = in.get_varint();
    ColumnReader columns(in, sequence.patterns, sequence.columns);
    sequence.sent = columns.get_column();
    sequence.received = columns.get_column();
    in.expect_end();
}

void SizeExchange::prepare(u64 comm, Group& group) {
    std::map<std::string, u32> known;
    for (const std::string& bytes : group.encoded) {
        const auto [place, is_new] =
            known.try_emplace(bytes, static_cast<u32>(group.sequences.size()));
        if (is_new) decode(bytes, group.sequences.emplace_back());
        group.sequence_of.push_back(place->second);
    }
    group.encoded = {};
    group.sizes.resize(group.sequence_of.size());
    for (const Sequence& sequence : group.sequences) {
        if (sequence.count == group.sequences.front().count) continue;
        throw Error(ErrorKind::corrupt,
                    "the members of communicator " + std::to_string(comm) +
                        " did not take part in equally many of its collectives (" +
                        std::to_string(sequence.count) + " and " +
                        std::to_string(group.sequences.front().count) + ")");
    }
}

void SizeExchange::rewind() {
    for (auto& [comm, group] : groups_) {
        if (group.sequences.empty()) prepare(comm, group);
        group.left = group.sequences.front().count;
        for (Sequence& sequence : group.sequences) {
            const FoldedSource source{sequence.patterns, sequence.columns};
            sequence.cursors.clear();
            sequence.cursors.emplace_back(source, sequence.sent);
            sequence.cursors.emplace_back(source, sequence.received);
        }
    }
}

SizeExchange::Sizes SizeExchange::next(u64 comm) {
    const auto found = groups_.find(comm);
    if (found == groups_.end() || found->second.left == 0) {
        throw Error(ErrorKind::internal, "a collective was not prepared");
    }
    Group& group = found->second;
    --group.left;
    for (Sequence& sequence : group.sequences) {
        sequence.now = {sequence.cursors[0].next(), sequence.cursors[1].next()};
    }
    for (std::size_t i = 0; i < group.sizes.size(); ++i) {
        group.sizes[i] = group.sequences[group.sequence_of[i]].now;
    }
    const std::span<const Contribution> all = group.sizes;
    const bool inter = group.own != all.size();
    return {all.first(group.own), inter ? all.subspan(group.own) : all};
}

int mpi_root(u32 root) {
    if (root == kRootSelf) return MPI_ROOT;
    return root == kRootThisGroup ? MPI_PROC_NULL : static_cast<int>(root);
}

void VectorCollectives::prepare(const CollectivePart& part) {
    sizes_.record(part.comm, {part.sent, part.received});
    const CollectiveScope& scope = scopes_.of(part.comm);
    const u64 sent = amounts_.scaled(part.sent);
    const u64 received = amounts_.scaled(part.received);
    // Data in place is in no size, but is at most as large as that exchanged with another process.
    const u64 others = std::max<u64>(scope.partners, 2) - 1;
    switch (part.kind) {
        case CollectiveKind::allgatherv:
            buffers_.expect_outgoing(sent / others);
            buffers_.expect_incoming(received + sent / others);
            break;
        case CollectiveKind::reduce_scatter:
            buffers_.expect_outgoing(sent + received / others);
            buffers_.expect_incoming(sent + received / others);
            break;
        case CollectiveKind::alltoallv:
        case CollectiveKind::alltoallw:
            inferences_.count(Inference::all_to_all);
            [[fallthrough]];
        default:
            buffers_.expect_outgoing(sent);
            buffers_.expect_incoming(received);
            break;
    }
}

VectorCollectives::Arrays& VectorCollectives::free_arrays() {
    const auto found = std::find_if(arrays_.begin(), arrays_.end(),
                                    [](const Arrays& arrays) { return !arrays.in_use; });
    return found == arrays_.end() ? arrays_.emplace_back() : *found;
}

void VectorCollectives::complete(u64 id) {
    for (Arrays& arrays : arrays_) {
        if (arrays.in_use && arrays.id == id) arrays.in_use = false;
    }
}

/// Lays out contiguous pieces; returns the sum.
u64 VectorCollectives::lay_out(const std::vector<u64>& sizes, std::vector<int>& counts,
                               std::vector<int>& places) {
    counts.clear();
    places.clear();
    u64 total = 0;
    for (const u64 size : sizes) {
        const u64 bytes = amounts_.scaled(size);
        if (total + bytes > Amounts::kMaxCount) {
            throw Error(ErrorKind::unsupported,
                        "a collective of more than 2 GiB with a count per process cannot be "
                        "replayed; use --bytes-scale");
        }
        counts.push_back(static_cast<int>(bytes));
        places.push_back(static_cast<int>(total));
        total += bytes;
    }
    return total;
}

void VectorCollectives::issue(const CollectivePart& part, u64 id, MPI_Request* request) {
    const SizeExchange::Sizes sizes = sizes_.next(part.comm);
    const CollectiveScope& scope = scopes_.of(part.comm);
    vector_arguments(part, scope, sizes.own_group, sizes.other_group, arguments_);
    Arrays& arrays = free_arrays();
    arrays.in_use = request != nullptr;
    arrays.id = id;
    issue(part.kind, part, arrays, request);
}

void VectorCollectives::issue(CollectiveKind kind, const CollectivePart& part, Arrays& a,
                              MPI_Request* request) {
    const u64 sent = lay_out(arguments_.send, a.send_counts, a.send_places);
    const u64 received = lay_out(arguments_.receive, a.receive_counts, a.receive_places);
    const Amount own = amounts_.of(arguments_.own);
    const MPI_Comm comm = communicators_.handle(part.comm);
    const int root = mpi_root(part.root);
    switch (kind) {
        case CollectiveKind::gatherv:
            TRACEFOLD_ISSUE(Gatherv, Igatherv, buffers_.outgoing(own.bytes), own.count, own.type,
                            buffers_.incoming(received), a.receive_counts.data(),
                            a.receive_places.data(), MPI_BYTE, root, comm);
            break;
        case CollectiveKind::scatterv:
            TRACEFOLD_ISSUE(Scatterv, Iscatterv, buffers_.outgoing(sent), a.send_counts.data(),
                            a.send_places.data(), MPI_BYTE, buffers_.incoming(own.bytes), own.count,
                            own.type, root, comm);
            break;
        case CollectiveKind::allgatherv: {
            const void* out = arguments_.in_place ? MPI_IN_PLACE : buffers_.outgoing(own.bytes);
            TRACEFOLD_ISSUE(Allgatherv, Iallgatherv, out, own.count, own.type,
                            buffers_.incoming(received), a.receive_counts.data(),
                            a.receive_places.data(), MPI_BYTE, comm);
            break;
        }
        case CollectiveKind::alltoallv:
            TRACEFOLD_ISSUE(Alltoallv, Ialltoallv, buffers_.outgoing(sent), a.send_counts.data(),
                            a.send_places.data(), MPI_BYTE, buffers_.incoming(received),
                            a.receive_counts.data(), a.receive_places.data(), MPI_BYTE, comm);
            break;
        case CollectiveKind::alltoallw:
            a.types.assign(a.send_counts.size(), MPI_BYTE);
            TRACEFOLD_ISSUE(Alltoallw, Ialltoallw, buffers_.outgoing(sent), a.send_counts.data(),
                            a.send_places.data(), a.types.data(), buffers_.incoming(received),
                            a.receive_counts.data(), a.receive_places.data(), a.types.data(), comm);
            break;
        case CollectiveKind::reduce_scatter: {
            const void* out = arguments_.in_place ? MPI_IN_PLACE : buffers_.outgoing(received);
            TRACEFOLD_ISSUE(Reduce_scatter, Ireduce_scatter, out, buffers_.incoming(received),
                            a.receive_counts.data(), MPI_BYTE, MPI_BXOR, comm);
            break;
        }
        default:
            break;
    }
}

}  // namespace tracefold
