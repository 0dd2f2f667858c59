// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/matrix/traffic_matrix.hpp"

#include "base/types.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

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

    /// For gets and fetched values of atomic operations, data flows from the peer.
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
        // Neighbours in a row often send from one group to the same groups.
        if (last_ == nullptr || last_->first != place) {
            last_ = &*matrix_.cells.try_emplace(place).first;
        }
        last_->second += cell;
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
    std::pair<const TrafficMatrix::Place, TrafficMatrix::Cell>* last_ = nullptr;
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

namespace {

void add_exactly(const ValueRun& run, u64 times, std::map<u64, u64>& sizes) {
    if (run.stride == 0) {
        sizes[run.start] += run.count * times;
        return;
    }
    for (u64 i = 0; i < run.count; ++i) sizes[run.start + i * run.stride] += times;
}

}  // namespace

void split_by_class(ValueRun run, const std::function<void(std::size_t, const ValueRun&)>& sink) {
    const bool falls = run.stride >> 63U != 0;
    if (falls) run = {run.last(), 0 - run.stride, run.count};
    while (run.count > 0) {
        const auto size_class = static_cast<std::size_t>(std::bit_width(run.start));
        const u64 largest = size_class == 64 ? ~u64{0} : (u64{1} << size_class) - 1;
        u64 count = run.count;
        if (run.stride != 0) count = std::min(count, (largest - run.start) / run.stride + 1);
        sink(size_class, {run.start, run.stride, count});
        run = {run.start + run.stride * count, run.stride, run.count - count};
    }
}

void SizeHistogram::add(const ValueRun& run, u64 times) {
    if (run.count == 0) return;
    split_by_class(run, [this, times](std::size_t size_class, const ValueRun& part) {
        classes[size_class].count += part.count * times;
        add_saturated(classes[size_class].bytes, Transfer::sizes_of(part, times));
        smallest = std::min(smallest, part.start);
        largest = std::max(largest, part.last());
    });
    count += run.count * times;
    add_saturated(bytes, Transfer::sizes_of(run, times));
}

MessageSizes message_sizes(TraceFile& file, ExecutionCounts& counts,
                           const std::vector<bool>& selected, bool exact) {
    using Side = MessageSizes::Side;
    MessageSizes sizes;
    CallNames names(file, counts);
    std::map<std::tuple<Transfer::Kind, u32, Side>, SizeHistogram*> by_symbol;
    const auto histogram_of = [&](const Transfer& transfer, Side side) -> SizeHistogram& {
        SizeHistogram*& known = by_symbol[{transfer.kind, transfer.symbol, side}];
        if (known == nullptr) {
            known = &sizes.histograms[{transfer.kind, names.name(transfer.symbol), side}];
        }
        return *known;
    };
    visit_transfers(file, counts, selected, [&](const Transfer& transfer) {
        const auto add = [&](Side side, const ValueRun& run) {
            SizeHistogram& histogram = histogram_of(transfer, side);
            histogram.add(run, transfer.times);
            if (exact) add_exactly(run, transfer.times, histogram.exact);
        };
        if (has_sent(transfer.kind)) add(Side::sent, transfer.sent);
        if (has_received(transfer.kind)) add(Side::received, transfer.received);
        const auto add_per_peer = [&](Side side, const std::optional<u64>& bytes) {
            if (bytes) add(side, {*bytes, 0, transfer.sent.count});
        };
        add_per_peer(Side::per_peer, transfer.per_peer.bytes);
        add_per_peer(Side::per_peer_in_place, transfer.per_peer.in_place);
    });
    return sizes;
}

namespace {

void put_bytes(u64 bytes, TableSink& table) {
    bytes == kOverflow ? table.none() : table.whole(bytes);
}

}  // namespace

std::string_view transfer_name(Transfer::Kind kind) {
    constexpr std::array<std::string_view, 6> kNames = {"send", "receive", "collective",
                                                        "put",  "get",     "atomic"};
    return kNames[static_cast<std::size_t>(kind)];
}

std::string_view side_name(MessageSizes::Side side) {
    constexpr std::array<std::string_view, 4> kNames = {"sent", "received", "per_peer",
                                                        "per_peer_in_place"};
    return kNames[static_cast<std::size_t>(side)];
}

u64 smallest_of_class(std::size_t size_class) {
    return size_class == 0 ? 0 : u64{1} << (size_class - 1);
}

u64 largest_of_class(std::size_t size_class) {
    const u64 smallest = smallest_of_class(size_class);
    return size_class == 0 ? 0 : smallest + (smallest - 1);
}

void for_each_size(const SizeHistogram& histogram, bool exact, const SizeLine& line) {
    if (exact) {
        for (const auto& [size, count] : histogram.exact)
            line(size, size, count, Transfer::sizes_of({size, 0, count}, 1));
        return;
    }
    for (std::size_t i = 0; i < SizeHistogram::kClasses; ++i) {
        const SizeHistogram::Class& part = histogram.classes[i];
        if (part.count == 0) continue;
        line(smallest_of_class(i), largest_of_class(i), part.count, part.bytes);
    }
}

void put_sizes(const MessageSizes& sizes, bool exact, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"call"},
                 {"kind"},
                 {"side"},
                 {"smallest", Type::whole},
                 {"largest", Type::whole},
                 {"count", Type::whole},
                 {"bytes", Type::whole}});
    for (const auto& entry : sizes.histograms) {
        const auto& key = entry.first;
        for_each_size(entry.second, exact, [&](u64 smallest, u64 largest, u64 count, u64 bytes) {
            table.text(key.call);
            table.text(transfer_name(key.kind));
            table.text(side_name(key.side));
            for (const u64 number : {smallest, largest, count}) table.whole(number);
            put_bytes(bytes, table);
        });
    }
}

void put_matrix(const TrafficMatrix& matrix, TableSink& table) {
    using Type = TableColumn::Type;
    table.begin({{"from"}, {"to"}, {"calls", Type::whole}, {"bytes", Type::whole}});
    for (const auto& [place, cell] : matrix.cells) {
        table.text(matrix.rows[place.row]);
        table.text(matrix.columns[place.column]);
        table.whole(cell.calls);
        put_bytes(cell.bytes, table);
    }
}

}  // namespace tracefold
