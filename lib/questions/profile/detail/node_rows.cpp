// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/node_rows.hpp"

#include "base/error.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <thread>
#include <utility>

namespace tracefold {

namespace {

struct Head {
    u32 node = 0;
    u32 mask = 0;
};

}  // namespace

NodeRows::NodeRows(const std::vector<u32>& owners, u32 owner, u32 locations)
    : locations_(locations), slots_(owners.size(), kNone) {
    for (u32 node = 0; node < owners.size(); ++node) {
        if (owners[node] != owner) continue;
        slots_[node] = static_cast<u32>(nodes_.size());
        nodes_.push_back(node);
    }
    rows_.resize(nodes_.size());
}

u64* NodeRows::filled(u32 node, std::size_t metric) {
    Rows& rows = rows_[slots_[node]];
    const std::size_t first = place(rows, metric);
    if ((rows.mask >> metric & 1U) == 0) {
        rows.mask |= 1U << metric;
        rows.values.reserve(rows.values.size() + locations_);
        rows.values.insert(rows.values.begin() + static_cast<std::ptrdiff_t>(first), locations_, 0);
        bytes_ += u64{locations_} * sizeof(u64);
        peak_bytes_ = std::max(peak_bytes_, bytes_);
    }
    return rows.values.data() + first;
}

void NodeRows::add(u32 node, u32 location, const MetricValues& values) {
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        if (values[metric] != 0) add_saturated(filled(node, metric)[location], values[metric]);
    }
}

void NodeRows::add(u32 node, std::size_t metric, std::span<const u64> values) {
    u64* const row = filled(node, metric);
    for (std::size_t i = 0; i < values.size(); ++i) add_saturated(row[i], values[i]);
}

void NodeRows::move(u32 from, u32 to) {
    Rows& source = rows_[slots_[from]];
    Rows& target = rows_[slots_[to]];
    if (target.mask == 0) {
        target = std::exchange(source, Rows());
        return;
    }
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        const std::span<const u64> values = row(from, metric);
        if (!values.empty()) add(to, metric, values);
    }
    release(from);
}

void NodeRows::release(u32 node) {
    Rows& rows = rows_[slots_[node]];
    bytes_ -= rows.values.size() * sizeof(u64);
    rows = Rows();
}

std::string rows_to_bytes(const NodeRows& rows, u32 node) {
    Head head{node, 0};
    std::string bytes(sizeof head, '\0');
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        const std::span<const u64> row = rows.row(node, metric);
        if (row.empty()) continue;
        head.mask |= 1U << metric;
        const std::size_t at = bytes.size();
        bytes.resize(at + row.size_bytes());
        std::memcpy(bytes.data() + at, row.data(), row.size_bytes());
    }
    std::memcpy(bytes.data(), &head, sizeof head);
    return bytes;
}

NumberedRows rows_from_bytes(std::string_view bytes, u32 locations) {
    Head head;
    const auto take = [&bytes](void* to, std::size_t size) {
        if (bytes.size() < size) {
            throw Error(ErrorKind::internal, "a message with the values of a call path is cut off");
        }
        std::memcpy(to, bytes.data(), size);
        bytes.remove_prefix(size);
    };
    take(&head, sizeof head);
    NumberedRows result;
    result.node = head.node;
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        if ((head.mask >> metric & 1U) == 0) continue;
        result.rows[metric].resize(locations);
        take(result.rows[metric].data(), locations * sizeof(u64));
    }
    return result;
}

namespace {

Moments moments_of(std::span<const u64> values, const LocationKinds& kinds) {
    u32 occurring = 0;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
        if (values[i] != 0) occurring |= 1U << kinds[i];
    }
    Moments moments;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (kinds.empty() || (occurring >> kinds[i] & 1U) != 0) moments.add(values[i]);
    }
    return moments;
}

}  // namespace

void MetricSummary::take(const NodeRows& rows, u32 node, const LocationGroups* groups,
                         const LocationKinds& kinds) {
    moments_.reserve(rows.filled_rows(node));
    for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
        add(static_cast<ProfileMetric>(metric), rows.row(node, metric), groups, kinds);
    }
    const auto both = [&](ProfileMetric sum, ProfileMetric a, ProfileMetric b) {
        const std::span<const u64> one = rows.row(node, index_of(a));
        const std::span<const u64> two = rows.row(node, index_of(b));
        if (one.empty() || two.empty()) return add(sum, one.empty() ? two : one, groups, kinds);
        std::vector<u64> values(one.begin(), one.end());
        for (std::size_t i = 0; i < values.size(); ++i) add_saturated(values[i], two[i]);
        add(sum, values, groups, kinds);
    };
    both(ProfileMetric::sent, ProfileMetric::sent_messages, ProfileMetric::sent_collective);
    both(ProfileMetric::received, ProfileMetric::received_messages,
         ProfileMetric::received_collective);
}

void MetricSummary::add(ProfileMetric metric, std::span<const u64> values,
                        const LocationGroups* groups, const LocationKinds& kinds) {
    if (values.empty()) return;
    mask_ |= static_cast<u16>(1U << index_of(metric));
    moments_.push_back(moments_of(values, kinds));
    if (groups == nullptr) return;
    const std::size_t first = groups_.size();
    groups_.resize(first + groups->count, 0);
    for (std::size_t i = 0; i < values.size(); ++i) {
        add_saturated(groups_[first + groups->of_location[i]], values[i]);
    }
}

std::size_t MetricSummary::place(ProfileMetric metric) const {
    const u32 bit = 1U << index_of(metric);
    if ((mask_ & bit) == 0) return kNone;
    return static_cast<std::size_t>(std::popcount(mask_ & (bit - 1)));
}

const Moments* MetricSummary::moments(ProfileMetric metric) const {
    const std::size_t at = place(metric);
    return at == kNone ? nullptr : &moments_[at];
}

std::span<const u64> MetricSummary::groups(ProfileMetric metric) const {
    const std::size_t at = place(metric);
    if (at == kNone || groups_.empty()) return {};
    const std::size_t count = groups_.size() / moments_.size();
    return {groups_.data() + at * count, count};
}

namespace {

constexpr std::size_t kMostInFlight = std::size_t{16} << 20U;

}  // namespace

MessageExchange::MessageExchange(Communicator& comm, Handler handler)
    : comm_(comm), handler_(std::move(handler)), partners_(static_cast<std::size_t>(comm.size())) {
    for (int other = 0; other < comm_.size(); ++other) {
        if (other == comm_.rank()) continue;
        partners_[static_cast<std::size_t>(other)].receive = comm_.start_receive(other);
    }
}

void MessageExchange::start(int to, std::string bytes) {
    const std::size_t size = bytes.size();
    in_flight_ += size;
    sends_.push_back({comm_.start_send(to, std::move(bytes)), size});
}

void MessageExchange::send(int to, std::string bytes) {
    start(to, std::move(bytes));
    while (in_flight_ > kMostInFlight) wait_a_little();
}

bool MessageExchange::receive_some() {
    bool any = false;
    for (int from = 0; from < comm_.size(); ++from) {
        Partner& partner = partners_[static_cast<std::size_t>(from)];
        while (partner.receive && partner.receive->test()) {
            any = true;
            const std::string bytes = partner.receive->take();
            partner.receive.reset();
            // An empty message is the end.
            if (bytes.empty()) break;
            partner.receive = comm_.start_receive(from);
            handler_(from, bytes);
        }
    }
    return any;
}

bool MessageExchange::complete_sends() {
    bool any = false;
    for (; !sends_.empty() && sends_.front().message->test(); sends_.pop_front()) {
        in_flight_ -= sends_.front().size;
        any = true;
    }
    return any;
}

void MessageExchange::progress() {
    receive_some();
    complete_sends();
}

void MessageExchange::wait_a_little() {
    const bool received = receive_some();
    if (!complete_sends() && !received) std::this_thread::yield();
}

void MessageExchange::finish() {
    for (int other = 0; other < comm_.size(); ++other) {
        if (other != comm_.rank()) start(other, {});
    }
    const auto all_ended = [this] {
        return std::all_of(partners_.begin(), partners_.end(),
                           [](const Partner& partner) { return partner.receive == nullptr; });
    };
    while (!sends_.empty() || !all_ended()) wait_a_little();
}

InclusiveValues::InclusiveValues(Communicator& comm, const CallTree& tree,
                                 const std::vector<u32>& owners, NodeRows& rows,
                                 std::function<const LocationGroups*(u32)> groups_of,
                                 const LocationKinds& kinds)
    : comm_(comm),
      tree_(tree),
      owners_(owners),
      rows_(rows),
      groups_of_(std::move(groups_of)),
      kinds_(kinds),
      me_(static_cast<u32>(comm.rank())),
      missing_(tree.child_counts()),
      slots_(tree.size(), kNone),
      summaries_(rows.nodes().size()) {
    for (u32 slot = 0; slot < rows.nodes().size(); ++slot) {
        const u32 node = rows.nodes()[slot];
        slots_[node] = slot;
        summaries_[slot].exclusive.take(rows_, node, groups_of_(node), kinds_);
        if (missing_[node] == 0) ready_.push_back(node);
    }
}

void InclusiveValues::run() {
    MessageExchange exchange(comm_, [this](int, std::string_view bytes) {
        const NumberedRows child = rows_from_bytes(bytes, rows_.locations());
        const u32 parent = tree_[child.node].parent;
        for (std::size_t metric = 0; metric < kStoredMetrics; ++metric) {
            if (!child.rows[metric].empty()) rows_.add(parent, metric, child.rows[metric]);
        }
        ++remote_children_;
        child_is_complete(parent);
    });
    for (std::size_t left = rows_.nodes().size(); left > 0;) {
        if (ready_.empty()) {
            exchange.wait_a_little();
            continue;
        }
        const u32 node = ready_.back();
        ready_.pop_back();
        complete(node, exchange);
        exchange.progress();
        --left;
    }
    exchange.finish();
}

void InclusiveValues::complete(u32 node, MessageExchange& exchange) {
    summaries_[slots_[node]].inclusive.take(rows_, node, groups_of_(node), kinds_);
    const u32 parent = tree_[node].parent;
    if (parent == kNone) {
        rows_.release(node);
    } else if (is_mine(parent)) {
        rows_.move(node, parent);
        child_is_complete(parent);
    } else {
        std::string bytes = rows_to_bytes(rows_, node);
        rows_.release(node);
        exchange.send(static_cast<int>(owners_[parent]), std::move(bytes));
    }
}

void InclusiveValues::child_is_complete(u32 parent) {
    if (--missing_[parent] == 0) ready_.push_back(parent);
}

}  // namespace tracefold
