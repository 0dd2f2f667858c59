// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/row_exchange.hpp"

#include "io/bytes.hpp"
#include "profile/message_exchange.hpp"
#include "profile/node_rows.hpp"

#include <exception>

namespace tracefold {

namespace {

constexpr std::size_t kMessageBytes = std::size_t{256} << 10U;

/// Values of locations, in pieces for each owner: location, number of nodes, and per node its
/// number, a mask of metrics, and their values.
class ValueSender {
  public:
    ValueSender(Communicator& comm, const std::vector<u32>& owners, NodeRows& rows)
        : me_(static_cast<u32>(comm.rank())),
          owners_(owners),
          rows_(rows),
          out_(static_cast<std::size_t>(comm.size())),
          exchange_(comm, [this](int, std::string_view bytes) { take(bytes); }) {}

    void pass(u32 location, std::span<const NodeValues> values) {
        for (const NodeValues& node : values) {
            const u32 owner = owners_[node.node];
            if (owner == me_) {
                rows_.add(node.node, location, node.values);
            } else {
                put(location, node, owner);
            }
        }
        exchange_.progress();
    }

    void flush() {
        for (u32 owner = 0; owner < out_.size(); ++owner) {
            if (out_[owner].size() > 0) flush(owner);
        }
    }

    void finish() { exchange_.finish(); }

  private:
    void put(u32 location, const NodeValues& node, u32 owner) {
        ByteWriter& out = out_[owner];
        u32 mask = 0;
        for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
            if (node.values[metric] != 0) mask |= 1U << metric;
        }
        out.put_varint(location);
        out.put_varint(node.node);
        out.put_varint(mask);
        for (const u64 value : node.values) {
            if (value != 0) out.put_varint(value);
        }
        if (out.size() >= kMessageBytes) flush(owner);
    }

    void flush(u32 owner) { exchange_.send(static_cast<int>(owner), out_[owner].take()); }

    void take(std::string_view bytes) {
        ByteReader in(bytes, "a message with values");
        while (in.remaining() > 0) {
            const u32 location = in.get_u32();
            const u32 node = in.get_u32();
            const u32 mask = in.get_u32();
            MetricValues values{};
            for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
                if ((mask >> metric & 1U) != 0) values[metric] = in.get_varint();
            }
            rows_.add(node, location, values);
        }
    }

    u32 me_;
    const std::vector<u32>& owners_;
    NodeRows& rows_;
    std::vector<ByteWriter> out_;  ///< by owner
    MessageExchange exchange_;
};

ProfileOptions::Rows rows_of(const NodeRows& rows, u32 node) {
    ProfileOptions::Rows all;
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        all[metric] = rows.row(node, metric);
    }
    return all;
}

}  // namespace

void distribute_rows(Communicator& comm, const std::vector<u32>& owners,
                     const std::function<void(const LocationSink&)>& produce, NodeRows& rows) {
    ValueSender sender(comm, owners, rows);
    std::exception_ptr failure;
    try {
        produce([&sender](u32 location, std::span<const NodeValues> values) {
            sender.pass(location, values);
        });
        sender.flush();
    } catch (...) {
        failure = std::current_exception();
    }
    // The others wait for it even after a failure.
    sender.finish();
    if (failure) std::rethrow_exception(failure);
}

void collect_rows(Communicator& comm, const std::vector<u32>& owners, const NodeRows& rows,
                  const std::function<void(u32 node, const ProfileOptions::Rows& rows)>& sink) {
    if (comm.rank() != 0) {
        for (const u32 node : rows.nodes()) comm.send(0, rows_to_bytes(rows, node));
        return;
    }
    std::exception_ptr failure;
    for (u32 node = 0; node < owners.size(); ++node) {
        const bool own = owners[node] == 0;
        const std::string bytes =
            own ? std::string() : comm.receive(static_cast<int>(owners[node]));
        if (failure) continue;
        try {
            const OneNodeRows theirs =
                own ? OneNodeRows() : rows_from_bytes(bytes, rows.locations()).rows;
            ProfileOptions::Rows all;
            for (std::size_t metric = 0; metric < kStoredMetrics; ++metric)
                all[metric] = theirs[metric];
            sink(node, own ? rows_of(rows, node) : all);
        } catch (...) {
            failure = std::current_exception();
        }
    }
    if (failure) std::rethrow_exception(failure);
}

}  // namespace tracefold
