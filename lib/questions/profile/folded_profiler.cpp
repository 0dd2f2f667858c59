// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/folded_profiler.hpp"

#include "base/types.hpp"
#include "file/call_names.hpp"
#include "file/io_files.hpp"
#include "file/program_names.hpp"
#include "file/region_nesting.hpp"
#include "file/thread_forks.hpp"
#include "model/record_kinds.hpp"
#include "questions/matrix/transfers.hpp"
#include "questions/profile/metric_profile.hpp"
#include "questions/stats/moments.hpp"

#include <algorithm>
#include <set>

namespace tracefold {

namespace {

bool is(const Element& element, EventType type) { return element.type == static_cast<u8>(type); }

}  // namespace

FoldedPaths::FoldedPaths(TraceFile& file, u32 script, u64 program, bool on_stream)
    : file_(file),
      script_(file.structure().scripts[script]),
      counts_(file.structure().script_counts[script]),
      pattern_(file.structure().patterns[script_.pattern]),
      program_(program),
      at_(tree_, nullptr, on_stream),
      places_(pattern_.leaf_count) {
    for (u32 leaf = 0; leaf < pattern_.leaf_count; ++leaf) {
        const Symbol& symbol = file.structure().symbols[script_.symbols[leaf]];
        places_[leaf].resize(symbol.elements.size());
    }
    known_.resize(pattern_.leaf_count);
    complete_ = walk_places(pattern_, *this);
}

bool FoldedPaths::leaf(u32 leaf) {
    const std::vector<Element>& elements =
        file_.structure().symbols[script_.symbols[leaf]].elements;
    const u32 entry = at_.here();
    const bool first = !known_[leaf];
    known_[leaf] = true;
    for (u32 i = 0; i < elements.size(); ++i) {
        u32 node = at_.here();
        if (!take_element(elements[i], node)) return false;
        Place& place = places_[leaf][i];
        if (first) {
            place.node = node;
        } else if (place.node != node) {
            place.several = true;
        }
        if (elements[i].type == kCompletions) note(completions_, node);
    }
    // Whether a repetition enters the same path: the leaf returns to its entry or is executed once.
    return at_.here() == entry || counts_[leaf].is_always_one();
}

void FoldedPaths::note(Place& place, u32 node) {
    place.several = place.several || (place.node != kNone && place.node != node);
    place.node = node;
}

bool FoldedPaths::take_element(const Element& element, u32& node) {
    if (is_enter(element.type) || is_leave(element.type)) {
        const std::optional<u64> region = region_of(element);
        if (!region) return false;
        if (is_leave(element.type)) {
            at_.leave(*region);
        } else {
            const bool is_mpi = is_mpi_function(file_.definitions(), *region);
            at_.enter(CallTree::Kind::region, *region, tree_.size(), is_mpi);
            node = at_.here();
        }
    } else if (is(element, EventType::ProgramBegin)) {
        at_.enter(CallTree::Kind::program, program_, tree_.size());
        node = at_.here();
    } else if (is(element, EventType::ProgramEnd)) {
        at_.clear();
    } else if (is(element, EventType::BufferFlush) || is(element, EventType::MeasurementOnOff) ||
               completes_io(element.type) || changes_thread_place(element.type) ||
               changes_task(element.type)) {
        return false;
    }
    return true;
}

std::optional<u64> FoldedPaths::region_of(const Element& element) const {
    // Odd: a location-local id.
    if ((element.context & 1U) != 0) return std::nullopt;
    const FieldKind kind = event_info(element.type).fields[0].kind;
    return file_.definitions().region_of(kind, element.context >> 1U);
}

namespace {

bool is_post(const Element& element) {
    return element.type == static_cast<u8>(EventType::MpiIrecvRequest) ||
           element.type == static_cast<u8>(EventType::NonBlockingCollectiveRequest);
}

/// Whether the element enters a path and counts as a visit.
bool begins_path(const Element& element) {
    return is_enter(element.type) || element.type == static_cast<u8>(EventType::ProgramBegin);
}

}  // namespace

FoldedProfiler::FoldedProfiler(TraceFile& file) : file_(file), counts_(file.index()) {}

std::map<u32, std::vector<NodeValues>> FoldedProfiler::run(const std::vector<u32>& locations,
                                                           const std::vector<u32>& numbers,
                                                           CallTree& tree) {
    std::map<u32, Location> all;
    std::vector<bool> counted(file_.location_count(), false);
    for (const u32 location : locations) {
        Location values = count_visits(location);
        if (!values.counted) continue;
        counted[location] = true;
        all.emplace(location, std::move(values));
    }
    visit_transfers(file_, counts_, counted,
                    [&](const Transfer& transfer) { add(transfer, all.at(transfer.location)); });
    std::map<u32, std::vector<NodeValues>> result;
    for (auto& [location, values] : all) {
        if (!values.counted) continue;
        std::vector<NodeValues>& nodes = result[location];
        if (values.paths == nullptr) continue;
        const CallTree& paths = values.paths->tree();
        for (u32 path = 0; path < paths.size(); ++path) {
            const u32 parent = paths[path].parent;
            const u32 node =
                tree.add(parent == kNone ? kNone : nodes[parent].node, paths[path].kind,
                         paths[path].ref, CallTree::call_order(numbers[location], path));
            nodes.push_back({node, values.values[path]});
        }
    }
    return result;
}

FoldedProfiler::Location FoldedProfiler::count_visits(u32 location) {
    Location result;
    const u32 script = file_.index().script(Stream::events, location);
    if (script == kNone) return result;
    result.paths = &paths_of(location, script);
    result.counted = result.paths->is_complete() && file_.nesting().of(location) == nullptr;
    result.values.resize(result.paths->tree().size());
    const std::vector<u32>& symbols = file_.structure().scripts[script].symbols;
    for (u32 leaf = 0; result.counted && leaf < symbols.size(); ++leaf) {
        const std::vector<Element>& elements = file_.structure().symbols[symbols[leaf]].elements;
        for (u32 i = 0; i < elements.size(); ++i) {
            if (needs_unwinding(location, elements[i].type)) {
                result.counted = false;
                break;
            }
            if (!begins_path(elements[i])) continue;
            const FoldedPaths::Place place = result.paths->place(leaf, i);
            if (place.several || place.node == kNone) {
                result.counted = false;
                break;
            }
            result.values[place.node][index_of(ProfileMetric::visits)] +=
                counts_.executions(location, leaf);
        }
    }
    return result;
}

/// Records whose values depend on the current call path and that the folded form does not sum.
bool FoldedProfiler::needs_unwinding(u32 location, u8 type) const {
    const bool on_stream = file_.definitions().locations()[location].is_stream();
    return type == static_cast<u8>(EventType::Metric) || is_io_operation(type) ||
           type == static_cast<u8>(EventType::CallingContextSample) ||
           (on_stream && begins_copy(type));
}

void FoldedProfiler::add(const Transfer& transfer, Location& location) {
    if (!location.counted) return;
    ProfileMetric sent = ProfileMetric::sent_messages;
    ProfileMetric received = ProfileMetric::received_messages;
    switch (transfer.kind) {
        case Transfer::Kind::send:
        case Transfer::Kind::receive:
            break;
        case Transfer::Kind::collective:
            sent = ProfileMetric::sent_collective;
            received = ProfileMetric::received_collective;
            break;
        default:
            return;
    }
    const FoldedPaths::Place place = place_of(transfer, *location.paths);
    if (place.several) {
        location.counted = false;
    } else if (place.node != kNone) {
        MetricValues& values = location.values[place.node];
        add_saturated(values[index_of(sent)], transfer.bytes_sent());
        add_saturated(values[index_of(received)], transfer.bytes_received());
    }
}

/// The place of a transfer: of its completion if posted, else of the symbol's records, which may be
/// in several regions.
FoldedPaths::Place FoldedProfiler::place_of(const Transfer& transfer, const FoldedPaths& paths) {
    const u32 script = file_.index().script(Stream::events, transfer.location);
    const std::vector<u32>& symbols = file_.structure().scripts[script].symbols;
    const auto leaf = static_cast<u32>(std::find(symbols.begin(), symbols.end(), transfer.symbol) -
                                       symbols.begin());
    const std::vector<Element>& elements = file_.structure().symbols[transfer.symbol].elements;
    FoldedPaths::Place result;
    bool first = true;
    bool posts = false;
    bool carries = false;
    for (u32 i = 0; i < elements.size(); ++i) {
        if (is_enter(elements[i].type) || is_leave(elements[i].type)) continue;
        if (is_post(elements[i])) {
            posts = true;
            continue;
        }
        if (!transfer_kind(elements[i].type)) continue;
        carries = true;
        const FoldedPaths::Place place = paths.place(leaf, i);
        result.several = result.several || place.several || (!first && place.node != result.node);
        result.node = place.node;
        first = false;
    }
    const bool may_be_posted = transfer.kind != Transfer::Kind::send;
    if (!posts || !may_be_posted) return result;
    if (carries) return {kNone, true};
    return paths.completions();
}

const FoldedPaths& FoldedProfiler::paths_of(u32 location, u32 script) {
    const u64 program = program_string(file_, counts_, location).value_or(0);
    const bool on_stream = file_.definitions().locations()[location].is_stream();
    const auto known = paths_.find({script, program, on_stream});
    if (known != paths_.end()) return known->second;
    return paths_
        .emplace(std::piecewise_construct, std::forward_as_tuple(script, program, on_stream),
                 std::forward_as_tuple(file_, script, program, on_stream))
        .first->second;
}

namespace {

/// Bytes per node: node, entry in the table of paths, name, owner, summary pointers.
constexpr u64 kTreeBytes = 350;
constexpr u64 kLocationBytes = 100;

/// Number of byte metrics that scripts can have: 0, 2, 4 or 6.
u64 byte_metrics(const TraceFile& file, const std::set<u32>& scripts) {
    bool messages = false;
    bool collectives = false;
    bool files = false;
    for (const u32 script : scripts) {
        for (const u32 symbol : file.structure().scripts[script].symbols) {
            for (const Element& element : file.structure().symbols[symbol].elements) {
                const auto type = static_cast<EventType>(element.type);
                messages = messages || type == EventType::MpiSend || type == EventType::MpiIsend ||
                           type == EventType::MpiRecv || type == EventType::MpiIrecvRequest ||
                           type == EventType::MpiMrecv || type == EventType::MpiImrecv;
                collectives = collectives || type == EventType::MpiCollectiveEnd ||
                              type == EventType::NonBlockingCollectiveRequest;
                files = files || type == EventType::IoOperationComplete;
            }
        }
    }
    return (messages ? 2U : 0U) + (collectives ? 2U : 0U) + (files ? 2U : 0U);
}

/// Nodes that are MPI functions or have some below.
u64 nodes_with_mpi(const DefinitionIndex& definitions, const CallTree& tree) {
    std::vector<bool> has(tree.size(), false);
    u64 count = 0;
    for (u32 node = tree.size(); node-- > 0;) {
        const CallTree::Node& it = tree[node];
        const bool mpi = it.kind == CallTree::Kind::region && definitions.is_mpi_region(it.ref);
        has[node] = has[node] || mpi;
        if (!has[node]) continue;
        ++count;
        if (it.parent != kNone) has[it.parent] = true;
    }
    return count;
}

}  // namespace

ProcessAdvice advise_processes(TraceFile& file, const std::vector<bool>& selected, bool with_times,
                               u64 limit) {
    ProcessAdvice advice;
    std::set<u32> scripts;
    std::set<std::pair<u32, bool>> walks;  // by script and whether it runs on a stream
    for (u32 location = 0; location < selected.size(); ++location) {
        if (!selected[location]) continue;
        ++advice.locations;
        const u32 script = file.index().script(Stream::events, location);
        if (script == kNone) continue;
        scripts.insert(script);
        walks.emplace(script, file.definitions().locations()[location].is_stream());
    }
    CallTree tree;
    for (const auto& [script, on_stream] : walks) {
        const FoldedPaths paths(file, script, 0, on_stream);
        tree.merge(paths.tree());
        advice.complete = advice.complete && paths.is_complete();
    }
    advice.call_paths = tree.size();
    const u64 own_metrics = with_times ? 2 : 1;
    const u64 bytes = byte_metrics(file, scripts);
    const u64 with_mpi = nodes_with_mpi(file.definitions(), tree);
    advice.rows = advice.call_paths * own_metrics + with_mpi * bytes;
    // Inclusive and exclusive; sums of both byte kinds as well.
    const u64 summaries = 2 * (advice.rows + (bytes == 0 ? 0 : 2 * with_mpi));
    advice.fixed_bytes = advice.call_paths * kTreeBytes + advice.locations * kLocationBytes +
                         summaries * sizeof(Moments);
    advice.shared_bytes = advice.rows * advice.locations * sizeof(u64) +
                          advice.call_paths * advice.locations * sizeof(NodeValues);
    if (advice.fixed_bytes >= limit) return advice;
    const u64 left = limit - advice.fixed_bytes;
    const u64 processes = std::max<u64>(1, (advice.shared_bytes + left - 1) / left);
    if (processes <= std::max<u64>(1, advice.call_paths)) advice.processes = processes;
    return advice;
}

}  // namespace tracefold
