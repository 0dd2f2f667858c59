// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "questions/profile/call_tree.hpp"
#include "questions/profile/metric_profile.hpp"
#include "questions/stats/moments.hpp"

#include <deque>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

/// The values of the nodes that a process owns: per node and metric a row over the locations. Rows
/// of zeros take no memory.
class NodeRows {
  public:
    /// `owners`: by node.
    NodeRows(const std::vector<u32>& owners, u32 owner, u32 locations);

    /// In rising order.
    [[nodiscard]] const std::vector<u32>& nodes() const { return nodes_; }
    [[nodiscard]] u32 locations() const { return locations_; }

    /// Empty: all zero. Precondition: the node is owned.
    [[nodiscard]] std::span<const u64> row(u32 node, std::size_t metric) const {
        return rows_[slots_[node]][metric];
    }
    /// Adds to the values of one location.
    void add(u32 node, u32 location, const MetricValues& values);
    /// Adds a row, one value per location.
    void add(u32 node, std::size_t metric, std::span<const u64> values);
    /// The same with what another node has, which has nothing afterwards.
    void move(u32 from, u32 to);
    void release(u32 node);

    /// Bytes of rows: now, and at most so far.
    [[nodiscard]] u64 bytes() const { return bytes_; }
    [[nodiscard]] u64 peak_bytes() const { return peak_bytes_; }

  private:
    using Row = std::vector<u64>;

    Row& filled(u32 node, std::size_t metric);
    void drop(Row& row);

    u32 locations_;
    std::vector<u32> nodes_;
    std::vector<u32> slots_;  ///< by node
    std::vector<std::array<Row, kStoredMetrics>> rows_;
    u64 bytes_ = 0;
    u64 peak_bytes_ = 0;
};

/// The rows of one node; those of zeros are empty.
using OneNodeRows = std::array<std::vector<u64>, kStoredMetrics>;

struct NumberedRows {
    u32 node = 0;
    OneNodeRows rows;
};

/// The rows of a node for another process of the same program: numbers as they lie in memory.
std::string rows_to_bytes(const NodeRows& rows, u32 node);

/// Throws Error(internal) for bytes that are none.
NumberedRows rows_from_bytes(std::string_view bytes, u32 locations);

/// Locations that are put together, such as those of a rank or of a node of the machine.
struct LocationGroups {
    std::vector<u32> of_location;
    u32 count = 0;
};

/// What locations are, each by a number below 8. Those of different kinds are not compared: the
/// mean of a function of threads is not one over streams of accelerators too, which never call it.
using LocationKinds = std::vector<u8>;

/// The values of a node over the locations: their moments, and their sums per group if asked for.
/// What is zero everywhere takes no memory.
class MetricSummary {
  public:
    /// The node's rows as they are now; moments are over the locations of the kinds that the node
    /// occurs on. `groups` may be null, `kinds` empty: all are alike.
    void take(const NodeRows& rows, u32 node, const LocationGroups* groups,
              const LocationKinds& kinds);

    /// Null: zero on all locations.
    [[nodiscard]] const Moments* moments(ProfileMetric metric) const;
    /// Empty: zero in all groups, or not asked for.
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

    u16 mask_ = 0;  ///< by metric
    std::vector<Moments> moments_;
    std::vector<u64> groups_;  ///< by metric of the mask, by group
};

/// Exclusive: what happened in the node itself. Inclusive: in all that it called, too.
struct NodeSummary {
    MetricSummary exclusive;
    MetricSummary inclusive;

    static void each_field(auto& self, auto& visit) { visit(self.exclusive, self.inclusive); }
    bool operator==(const NodeSummary&) const = default;
};

/// Messages between all processes, sent and received while they work: nobody waits for a message
/// that it does not need yet, and nobody keeps more than a few megabytes of messages on their way.
/// Collective: every process makes one and ends it with finish().
class MessageExchange {
  public:
    /// What is done with a message; it may send others.
    using Handler = std::function<void(int from, std::string_view bytes)>;

    /// The communicator must outlive the exchange. `handler` is called within send(), progress()
    /// and finish().
    MessageExchange(Communicator& comm, Handler handler);

    /// To another process; `bytes` are not empty. Receives in the meantime if too much is on its
    /// way. Not from within the handler.
    void send(int to, std::string bytes);

    /// Moves everything on, without waiting.
    void progress();
    /// The same; lets other programs have the processor if nothing moved.
    void wait_a_little();

    /// Tells all others that nothing more comes, and returns when they have done so, too, and all
    /// messages have arrived.
    void finish();

  private:
    struct Partner {
        std::unique_ptr<MessageInFlight> receive;  ///< null: it has finished, or is this process
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
    std::deque<Sent> sends_;     ///< the oldest first
    std::size_t in_flight_ = 0;  ///< bytes
};

/// Adds up the nodes of a call tree from below, each on the process that owns it. The values of
/// children elsewhere are asked for at once: both sides know the tree, so a child's owner sends
/// them as soon as they are complete, and whoever waits for some goes on with other nodes. Rows are
/// released as soon as they are added to the parent's.
class InclusiveValues {
  public:
    /// `groups_of` tells whose sums are kept; null: of no groups. All arguments must outlive this
    /// object; `rows` have the exclusive values and are used up.
    InclusiveValues(Communicator& comm, const CallTree& tree, const std::vector<u32>& owners,
                    NodeRows& rows, std::function<const LocationGroups*(u32 node)> groups_of,
                    const LocationKinds& kinds);

    /// Collective; call once.
    void run();

    /// Of the nodes that this process owns, in rising order.
    [[nodiscard]] std::vector<NodeSummary> take_summaries() { return std::move(summaries_); }
    /// How many children's values came from other processes.
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
    std::vector<u32> missing_;  ///< by node: children that are not complete
    std::vector<u32> ready_;    ///< nodes whose children all are
    std::vector<u32> slots_;    ///< by node: its place among those that this process owns
    std::vector<NodeSummary> summaries_;
    u64 remote_children_ = 0;
};

}  // namespace tracefold
