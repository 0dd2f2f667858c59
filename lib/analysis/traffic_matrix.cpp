// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/traffic_matrix.hpp"

#include <array>
#include <unordered_map>

namespace tracefold {

namespace {

using Kind = Transfer::Kind;

class MatrixBuilder {
  public:
    MatrixBuilder(TraceFile& file, const RankGroups& groups)
        : definitions_(file.definitions()), names_(file.definitions()), groups_(groups) {
        matrix_.rows = groups.labels;
    }

    void add_message(const Transfer& transfer) {
        if (transfer.kind == Kind::send) {
            add(rank(transfer), transfer.peer, {transfer.calls(), transfer.bytes_sent()});
        } else if (transfer.kind == Kind::receive) {
            matrix_.received += {transfer.calls(), transfer.bytes_received()};
        }
    }

    /// Data of a get and the old values of atomic operations come from the peer.
    void add_one_sided(const Transfer& transfer) {
        const u32 me = rank(transfer);
        if (transfer.kind == Kind::put || transfer.kind == Kind::atomic) {
            add(me, transfer.peer, {transfer.calls(), transfer.bytes_sent()});
        }
        if (transfer.kind == Kind::get) {
            add(transfer.peer, me, {transfer.calls(), transfer.bytes_received()});
        } else if (transfer.kind == Kind::atomic && transfer.bytes_received() != 0) {
            add(transfer.peer, me, {0, transfer.bytes_received()});
        }
    }

    void add_collective(const Transfer& transfer) {
        if (transfer.kind != Kind::collective) return;
        const u32 me = rank(transfer);
        matrix_.received += {transfer.calls(), transfer.bytes_received()};
        const TrafficMatrix::Cell cell{transfer.calls(), transfer.bytes_sent()};
        if (me >= groups_.group_of.size()) {
            matrix_.unknown += cell;
        } else {
            put({groups_.group_of[me], column_of(transfer.communicator)}, cell);
        }
    }

    TrafficMatrix finish(TrafficKind kind) {
        if (kind != TrafficKind::collective) matrix_.columns = matrix_.rows;
        return std::move(matrix_);
    }

  private:
    [[nodiscard]] u32 rank(const Transfer& transfer) const {
        return names_.process(transfer.location);
    }

    void add(u32 from, u32 to, const TrafficMatrix::Cell& cell) {
        if (from >= groups_.group_of.size() || to >= groups_.group_of.size()) {
            matrix_.unknown += cell;
        } else {
            put({groups_.group_of[from], groups_.group_of[to]}, cell);
        }
    }

    void put(TrafficMatrix::Place place, const TrafficMatrix::Cell& cell) {
        matrix_.cells[place] += cell;
        matrix_.total += cell;
    }

    u32 column_of(u64 communicator) {
        const auto [found, fresh] = columns_.emplace(communicator, matrix_.columns.size());
        if (fresh) {
            const std::string& name = definitions_.communicator_name(communicator);
            matrix_.columns.push_back(name.empty() ? "#" + std::to_string(communicator) : name);
        }
        return found->second;
    }

    const DefinitionIndex& definitions_;
    ParticipantNames names_;
    const RankGroups& groups_;
    TrafficMatrix matrix_;
    std::unordered_map<u64, u32> columns_;  ///< by communicator
};

}  // namespace

std::string_view traffic_name(TrafficKind kind) {
    constexpr std::array<std::string_view, 3> kNames = {"point-to-point", "one-sided",
                                                        "collective"};
    return kNames[static_cast<std::size_t>(kind)];
}

TrafficMatrix traffic_matrix(TraceFile& file, ExecutionCounts& counts, const RankGroups& groups,
                             const std::vector<bool>& selected, TrafficKind kind) {
    MatrixBuilder builder(file, groups);
    visit_transfers(file, counts, selected, [&](const Transfer& transfer) {
        switch (kind) {
            case TrafficKind::point_to_point:
                builder.add_message(transfer);
                break;
            case TrafficKind::one_sided:
                builder.add_one_sided(transfer);
                break;
            case TrafficKind::collective:
                builder.add_collective(transfer);
                break;
        }
    });
    return builder.finish(kind);
}

}  // namespace tracefold
