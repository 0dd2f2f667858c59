// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/collectives/size_exchange.hpp"

#include "comm/mpi_error.hpp"
#include "core/error.hpp"
#include "fold/structure_pool.hpp"
#include "format/column_codec.hpp"
#include "io/bytes.hpp"

#include <algorithm>
#include <limits>
#include <numeric>

namespace tracefold {

namespace {

/// A communicator for the given processes of another one, made and freed by them alone.
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

    /// The bytes of all, by rank.
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

/// A member that recorded no such collective must take part nevertheless.
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

}  // namespace tracefold
