// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/trace_profile.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "file/call_names.hpp"
#include "file/location_blocks.hpp"
#include "file/recording_gaps.hpp"
#include "questions/profile/detail/cubex_writer.hpp"
#include "questions/profile/detail/location_profiler.hpp"
#include "questions/profile/folded_profiler.hpp"
#include "questions/system/system_tree.hpp"

#include <functional>
#include <iterator>
#include <map>
#include <memory>
#include <unordered_map>

namespace tracefold {

namespace {

struct LocationValues {
    u32 number = 0;
    std::vector<NodeValues> values;
};

/// Counts of one process.
struct Block {
    std::vector<LocationValues> locations;
    std::vector<MetricEntry> metrics;
};

/// Profiles the process's own locations; unwinds only if the folded form does not suffice.
class BlockCounter {
  public:
    BlockCounter(TraceFile& file, const std::vector<bool>& selected, bool with_times,
                 const MetricCatalogue& metrics, CallTree& tree)
        : file_(file),
          with_times_(with_times),
          metrics_(metrics),
          tree_(tree),
          crossings_(file),
          threads_(file) {
        u32 count = 0;
        for (const bool is_selected : selected) {
            numbers_.push_back(is_selected ? count++ : kNone);
        }
    }

    Block run(Communicator& comm) {
        const std::vector<LocationDefinition>& locations = file_.definitions().locations();
        std::vector<u32> own;
        for (const u32 location : location_block(locations, comm.rank(), comm.size())) {
            if (numbers_[location] != kNone) own.push_back(location);
        }
        std::map<u32, std::vector<NodeValues>> counted;
        if (!with_times_) counted = FoldedProfiler(file_).run(own, numbers_, tree_);
        for (const u32 location : forking_first(file_, own)) {
            if (const auto found = counted.find(location); found != counted.end()) {
                block_.locations.push_back({numbers_[location], std::move(found->second)});
            } else {
                unwind(location);
            }
        }
        return std::move(block_);
    }

  private:
    void unwind(u32 location) {
        MetricCollector metrics(metrics_, location);
        LocationProfiler profiler(file_, location, numbers_[location], with_times_, tree_, threads_,
                                  metrics_.empty() ? nullptr : &metrics, &crossings_);
        block_.locations.push_back({numbers_[location], profiler.run()});
        std::move(metrics.entries().begin(), metrics.entries().end(),
                  std::back_inserter(block_.metrics));
    }

    TraceFile& file_;
    std::vector<u32> numbers_;
    bool with_times_;
    const MetricCatalogue& metrics_;
    CallTree& tree_;
    IoCrossings crossings_;
    TraceThreads threads_;
    Block block_;
};

/// Merges the trees of all processes.
CallTree unite(Communicator& comm, const CallTree& own) {
    if (comm.size() == 1) return own.in_call_order();
    CallTree all = own;
    reduce_tree(
        comm, all, [](const CallTree& tree) { return tree.to_bytes(); },
        [](CallTree& tree, std::string_view bytes) { tree.merge(CallTree::from_bytes(bytes)); });
    const std::string bytes =
        comm.broadcast(comm.rank() == 0 ? all.in_call_order().to_bytes() : std::string(), 0);
    return CallTree::from_bytes(bytes);
}

enum : u8 { kThreads, kStreams };

LocationKinds kinds_of(const DefinitionIndex& definitions, const std::vector<bool>& selected) {
    LocationKinds kinds;
    for (std::size_t i = 0; i < selected.size(); ++i) {
        if (!selected[i]) continue;
        kinds.push_back(definitions.locations()[i].is_stream() ? kStreams : kThreads);
    }
    return kinds;
}

/// Adds values of metric-only locations, which are in no call path.
void add_metric_locations(Communicator& comm, TraceFile& file, const std::vector<bool>& selected,
                          bool with_times, const MetricCatalogue& metrics,
                          std::vector<MetricEntry>& entries) {
    std::vector<bool> only(selected);
    for (std::size_t i = 0; i < only.size(); ++i) {
        only[i] = only[i] && file.definitions().locations()[i].is_metric();
    }
    CallTree none;
    const Block block = BlockCounter(file, only, with_times, metrics, none).run(comm);
    entries.insert(entries.end(), block.metrics.begin(), block.metrics.end());
}

/// Finds sums of one location beyond 64 bits.
void find_overflows(u32 location, const std::vector<NodeValues>& values,
                    std::vector<TraceProfile::Overflow>& found) {
    const auto value = [](const NodeValues& node, ProfileMetric metric) {
        return node.values[index_of(metric)];
    };
    for (const NodeValues& node : values) {
        using M = ProfileMetric;
        u64 sent = value(node, M::sent_messages);
        u64 received = value(node, M::received_messages);
        add_saturated(sent, value(node, M::sent_collective));
        add_saturated(received, value(node, M::received_collective));
        const std::pair<M, u64> sums[] = {{M::sent, sent},
                                          {M::received, received},
                                          {M::read, value(node, M::read)},
                                          {M::written, value(node, M::written)}};
        for (const auto& [metric, sum] : sums) {
            if (sum == kOverflow) found.push_back({metric, location, node.node});
        }
    }
}

/// Gathers the overflows of all processes on process 0.
std::vector<TraceProfile::Overflow> gather_overflows(
    Communicator& comm, const std::vector<TraceProfile::Overflow>& mine) {
    ByteWriter out;
    ValueWriter write(out);
    for (const TraceProfile::Overflow& it : mine) write(it);
    std::vector<TraceProfile::Overflow> all;
    for (const std::string& bytes : comm.gather(out.take(), 0)) {
        ByteReader in(bytes, "the overflows of a process");
        ValueReader read(in);
        while (in.remaining() != 0) read(all.emplace_back());
    }
    return all;
}

/// Sets up the profile and the result's metrics.
ProfileInput profile_input(Communicator& comm, TraceFile& file, const ProfileRequest& request,
                           const std::vector<bool>& selected, TraceProfile& result) {
    CallTree own;
    auto block = std::make_shared<Block>();
    agree(comm, [&] {
        const MetricCatalogue metrics(file);
        result.metric_members = metrics.members();
        *block = BlockCounter(file, selected, result.has_times, metrics, own).run(comm);
    });
    ProfileInput input;
    input.tree = unite(comm, own);
    input.kinds = kinds_of(file.definitions(), selected);
    input.locations = static_cast<u32>(input.kinds.size());
    const std::vector<u32> numbers = CallTree(input.tree).merge(own);
    std::vector<u32> by_number;
    for (u32 i = 0; i < selected.size(); ++i) {
        if (selected[i]) by_number.push_back(i);
    }
    std::vector<TraceProfile::Overflow> overflows;
    for (LocationValues& location : block->locations) {
        for (NodeValues& node : location.values) node.node = numbers[node.node];
        find_overflows(by_number[location.number], location.values, overflows);
    }
    result.overflows = gather_overflows(comm, overflows);
    for (MetricEntry& entry : block->metrics) {
        if (entry.node != kNone) entry.node = numbers[entry.node];
    }
    agree(comm, [&] {
        add_metric_locations(comm, file, request.selected, result.has_times, MetricCatalogue(file),
                             block->metrics);
    });
    result.metric_entries = gather_metrics(comm, block->metrics);
    input.produce = [block](const LocationSink& sink) {
        for (LocationValues& location : block->locations) {
            sink(location.number, location.values);
            location.values = {};
        }
    };
    return input;
}

/// Groups equal keys; a key is named at its first occurrence.
class Grouping {
  public:
    void add(u64 key, const std::function<std::string()>& name) {
        const auto [found, fresh] = numbers_.emplace(key, groups.count);
        if (fresh) {
            names.push_back(name());
            ++groups.count;
        }
        groups.of_location.push_back(found->second);
    }

    LocationGroups groups;
    std::vector<std::string> names;

  private:
    std::unordered_map<u64, u32> numbers_;
};

/// Locations without a rank form groups of their own, unless grouped by node.
Grouping group_locations(TraceFile& file, const ProfileRequest& request) {
    const ParticipantNames names(file.definitions());
    RankGroups nodes;
    if (request.by == ProfileGroups::node) nodes = rank_groups(file, names, GroupBy::node);
    Grouping grouping;
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (!request.selected[location]) continue;
        const bool by_node = request.by == ProfileGroups::node;
        const u32 rank = by_node ? names.process(location) : names.place(location).rank;
        if (request.by == ProfileGroups::location || rank == kNone) {
            grouping.add((u64{1} << 32U) + location, [&] { return names.label(location); });
        } else if (request.by == ProfileGroups::rank) {
            grouping.add(rank, [&] { return std::to_string(rank); });
        } else {
            const u32 node = nodes.group_of[rank];
            grouping.add(node, [&] { return nodes.labels[node]; });
        }
    }
    return grouping;
}

/// Few names of deep nodes: whole paths would need memory in the square of the depth.
template <class NameOf>
std::string path_text(const CallTree& tree, u32 node, const NameOf& name_of) {
    constexpr u32 kMostNames = 1000;
    constexpr u32 kInnermost = 20;
    const u32 depth = tree[node].depth + 1;
    std::vector<u32> nodes;  // innermost first
    for (u32 left = depth > kMostNames ? kInnermost : depth; left > 0; --left) {
        nodes.push_back(node);
        node = tree[node].parent;
    }
    std::string path;
    if (depth > nodes.size()) path = "[" + std::to_string(depth - nodes.size()) + " more]/";
    for (auto it = nodes.rbegin(); it != nodes.rend(); ++it) {
        if (it != nodes.rbegin()) path += '/';
        path += name_of(*it);
    }
    return path;
}

}  // namespace

std::string TraceProfile::path(u32 node) const {
    return path_text(profile.tree, node, [this](u32 at) { return std::string_view(names[at]); });
}

std::vector<u32> TraceProfile::metrics(u32 node) const {
    std::vector<u32> metrics;
    for (u32 metric = 0; metric < kProfileMetrics; ++metric) {
        const NodeSummary& summary = profile.nodes[node];
        if (summary.inclusive.moments(static_cast<ProfileMetric>(metric)) != nullptr) {
            metrics.push_back(metric);
        }
    }
    for (u32 i = 0; i < columns.size(); ++i) {
        if (columns[i].nodes.contains(node)) metrics.push_back(kProfileMetrics + i);
    }
    return metrics;
}

std::string_view TraceProfile::name_of(u32 metric) const {
    const ProfileColumn* const it = column(metric);
    return it == nullptr ? metric_name(static_cast<ProfileMetric>(metric))
                         : std::string_view(it->name);
}

std::optional<u32> TraceProfile::find_metric(std::string_view name) const {
    // A profile of Cube has columns only.
    for (u32 metric = static_cast<u32>(kProfileMetrics + columns.size()); metric-- > 0;) {
        if (name_of(metric) == name) return metric;
    }
    return std::nullopt;
}

TraceProfile trace_profile(Communicator& comm, TraceFile& file, const ProfileRequest& request) {
    const DefinitionIndex& definitions = file.definitions();
    TraceProfile result;
    result.has_times = request.times && file.summary().timing != TimingLevel::none;
    result.rate = definitions.tick_rate();
    // Means exclude unrecorded locations.
    ProfileRequest recorded = request;
    ProfileRequest own = request;
    for (u32 i = 0; i < own.selected.size(); ++i) {
        const bool is_metric = definitions.locations()[i].is_metric();
        if (!is_metric && !has_events(file, i)) recorded.selected[i] = false;
        own.selected[i] = recorded.selected[i] && !is_metric;
    }
    ProfileInput input = profile_input(comm, file, recorded, own.selected, result);
    on_first(comm, [&] {
        result.nesting = file.nesting().counts(own.selected);
        result.samples = sample_origins(file, own.selected);
        const ParticipantNames names(file.definitions());
        for (TraceProfile::Overflow& it : result.overflows) it.label = names.label(it.location);
    });
    for (u32 node = 0; node < input.tree.size(); ++node) {
        result.names.push_back(call_name(definitions, input.tree[node]));
        result.is_mpi.push_back(input.tree[node].kind == CallTree::Kind::region &&
                                definitions.is_mpi_region(input.tree[node].ref));
    }
    ProfileOptions options;
    options.order = request.order;
    if (request.by != ProfileGroups::none) {
        Grouping grouping = group_locations(file, own);
        options.groups = std::move(grouping.groups);
        options.group_depth = request.group_depth;
        result.groups = std::move(grouping.names);
    }
    std::unique_ptr<CubexWriter> cubex;
    if (!request.cubex.empty()) {
        on_first(comm, [&] {
            cubex = std::make_unique<CubexWriter>(file, input.tree, recorded, result);
        });
        options.rows = [&cubex](u32 node, const ProfileOptions::Rows& rows) {
            cubex->add(node, rows);
        };
    }
    result.profile = compute_call_profile(comm, std::move(input), options);
    agree(comm, [&] {
        if (cubex) cubex->commit();
    });
    return result;
}

std::string call_name(const DefinitionIndex& definitions, const CallTree::Node& node) {
    switch (node.kind) {
        case CallTree::Kind::program: {
            const std::string& path = definitions.string(node.ref);
            return path.substr(path.rfind('/') + 1);
        }
        case CallTree::Kind::flush:
            return "TRACE BUFFER FLUSH";
        case CallTree::Kind::off:
            return "MEASUREMENT OFF";
        case CallTree::Kind::tasks:
            return "TASKS";
        case CallTree::Kind::copy:
            return std::string(copy_name(node.ref == 1));
        case CallTree::Kind::region:
            break;
    }
    return region_text(definitions, node.ref);
}

std::string path_of(const DefinitionIndex& definitions, const CallTree& tree, u32 node) {
    if (node == kNone) return {};
    return path_text(tree, node, [&](u32 at) { return call_name(definitions, tree[at]); });
}

}  // namespace tracefold
