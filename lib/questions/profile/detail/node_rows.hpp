// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "questions/profile/call_tree.hpp"
#include "questions/profile/metric_profile.hpp"
#include "questions/stats/moments.hpp"

#include <bit>
#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

/// Values of the nodes of a process: a row of locations per node and metric. Zero rows are free.
class NodeRows {
  public:
    /// `owners`: by node.
    NodeRows(const std::vector<u32>& owners, u32 owner, u32 locations);

    /// Owned nodes, ascending.
    [[nodiscard]] const std::vector<u32>& nodes() const { return nodes_; }
    [[nodiscard]] u32 locations() const { return locations_; }

    /// Empty: all zero. Precondition: the node is owned.
    [[nodiscard]] std::span<const u64> row(u32 node, std::size_t metric) const {
        const Rows& rows = rows_[slots_[node]];
        if ((rows.mask >> metric & 1U) == 0) return {};
        return {rows.values.data() + place(rows, metric), locations_};
    }
    /// Number of metrics that are not zero on all locations.
    [[nodiscard]] std::size_t filled_rows(u32 node) const {
        return static_cast<std::size_t>(std::popcount(rows_[slots_[node]].mask));
    }
    /// Adds the values of one location.
    void add(u32 node, u32 location, const MetricValues& values);
    /// Adds a row, one value per location.
    void add(u32 node, std::size_t metric, std::span<const u64> values);
    /// Adds all rows of node `from` to node `to` and clears `from`.
    void move(u32 from, u32 to);
    void release(u32 node);

    /// Bytes of rows: current and peak.
    [[nodiscard]] u64 bytes() const { return bytes_; }
    [[nodiscard]] u64 peak_bytes() const { return peak_bytes_; }

  private:
    struct Rows {
        u32 mask = 0;             ///< bits of the metrics with a row
        std::vector<u64> values;  ///< their rows
    };

    /// Index of the metric's first value.
    [[nodiscard]] std::size_t place(const Rows& rows, std::size_t metric) const {
        return static_cast<std::size_t>(std::popcount(rows.mask & ((1U << metric) - 1))) *
               locations_;
    }
    /// The row's first value; adds a row of zeros if it is missing.
    u64* filled(u32 node, std::size_t metric);

    u32 locations_;
    std::vector<u32> nodes_;
    std::vector<u32> slots_;  ///< by node
    std::vector<Rows> rows_;
    u64 bytes_ = 0;
    u64 peak_bytes_ = 0;
};

/// The rows of one node; rows of zeros are empty.
using OneNodeRows = std::array<std::vector<u64>, kStoredMetrics>;

struct NumberedRows {
    u32 node = 0;
    OneNodeRows rows;
};

/// Serialises a node's rows for a process of the same program, in native byte order.
std::string rows_to_bytes(const NodeRows& rows, u32 node);

/// Deserialises rows. Throws Error(internal) for invalid bytes.
NumberedRows rows_from_bytes(std::string_view bytes, u32 locations);

/// Groups of locations, such as those of a rank or a machine node.
struct LocationGroups {
    std::vector<u32> of_location;
    u32 count = 0;
};

/// Kind of each location, a number below 8. Statistics never mix kinds: the mean of a thread
/// function excludes accelerator streams, which never call it.
using LocationKinds = std::vector<u8>;

/// Moments of a node's values and, on request, sums per group. All-zero metrics take no memory.
class MetricSummary {
  public:
    /// Summarises the node's current rows; moments cover the locations of the kinds that the node
    /// occurs on. `groups` may be null, `kinds` empty (all of one kind).
    void take(const NodeRows& rows, u32 node, const LocationGroups* groups,
              const LocationKinds& kinds);

    /// Null: zero on all locations.
    [[nodiscard]] const Moments* moments(ProfileMetric metric) const;
    /// Empty: zero in all groups, or not requested.
    [[nodiscard]] std::span<const u64> groups(ProfileMetric metric) const;
    [[nodiscard]] bool empty() const { return mask_ == 0; }

    static void each_field(auto& self, auto& visit) {
        visit(self.mask_, self.moments_, self.groups_);
    }

    bool operator==(const MetricSummary&) const = default;

  private:
    void add(ProfileMetric metric, std::span<const u64> values, const LocationGroups* groups,
             const LocationKinds& kinds);
    [[nodiscard]] std::size_t place(ProfileMetric metric) const;

    u16 mask_ = 0;  ///< bits of stored metrics
    std::vector<Moments> moments_;
    std::vector<u64> groups_;  ///< by stored metric, then group
};

/// Exclusive: the node itself. Inclusive: with all descendants.
struct NodeSummary {
    MetricSummary exclusive;
    MetricSummary inclusive;

    static void each_field(auto& self, auto& visit) { visit(self.exclusive, self.inclusive); }
    bool operator==(const NodeSummary&) const = default;
};

/// Asynchronous messages between all processes: overlaps communication with work and limits each
/// process to a few megabytes in flight. Collective: every process creates one and ends it with
/// finish().
class MessageExchange {
  public:
    /// Handles a received message; may send others.
    using Handler = std::function<void(int from, std::string_view bytes)>;

    /// The communicator must outlive this object. `handler` is called within send(), progress() and
    /// finish().
    MessageExchange(Communicator& comm, Handler handler);

    /// Sends non-empty `bytes` to another process. Receives meanwhile if too much is in flight. Not
    /// allowed within the handler.
    void send(int to, std::string bytes);

    /// Advances all transfers without blocking.
    void progress();
    /// Advances all transfers; yields the processor if nothing moved.
    void wait_a_little();

    /// Announces the end of this process's messages; returns when all processes have done so and
    /// all messages have arrived.
    void finish();

  private:
    struct Partner {
        std::unique_ptr<MessageInFlight> receive;  ///< null: finished, or this process
    };
    struct Sent {
        std::unique_ptr<MessageInFlight> message;
        std::size_t size = 0;
    };

    bool receive_some();
    bool complete_sends();
    void start(int to, std::string bytes);

    Communicator& comm_;
    Handler handler_;
    std::vector<Partner> partners_;
    std::deque<Sent> sends_;     ///< oldest first
    std::size_t in_flight_ = 0;  ///< bytes
};

/// Sums the nodes of a call tree bottom-up, each on its owner. All processes know the tree: the
/// owner of a child pushes its values as soon as they are complete, and an owner that waits works
/// on other nodes. Rows are released once added to the parent's.
class InclusiveValues {
  public:
    /// `groups_of` returns the groups whose sums are stored, or null. `rows` holds the exclusive
    /// values and is consumed. All arguments must outlive this object.
    InclusiveValues(Communicator& comm, const CallTree& tree, const std::vector<u32>& owners,
                    NodeRows& rows, std::function<const LocationGroups*(u32 node)> groups_of,
                    const LocationKinds& kinds);

    /// Runs the summation. Collective; call once.
    void run();

    /// Summaries of the owned nodes, ascending.
    [[nodiscard]] std::vector<NodeSummary> take_summaries() { return std::move(summaries_); }
    /// Children whose values came from other processes.
    [[nodiscard]] u64 remote_children() const { return remote_children_; }

  private:
    void complete(u32 node, MessageExchange& exchange);
    void child_is_complete(u32 parent);
    [[nodiscard]] bool is_mine(u32 node) const { return owners_[node] == me_; }

    Communicator& comm_;
    const CallTree& tree_;
    const std::vector<u32>& owners_;
    NodeRows& rows_;
    std::function<const LocationGroups*(u32)> groups_of_;
    const LocationKinds& kinds_;
    u32 me_;
    std::vector<u32> missing_;  ///< by node: number of incomplete children
    std::vector<u32> ready_;    ///< nodes whose children are complete
    std::vector<u32> slots_;    ///< by node: index among the owned nodes
    std::vector<NodeSummary> summaries_;
    u64 remote_children_ = 0;
};

}  // namespace tracefold
