// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/folded_profiler.hpp"

#include "core/saturating.hpp"
#include "model/record_kinds.hpp"
#include "query/call_names.hpp"
#include "query/io_tracker.hpp"
#include "trace/region_nesting.hpp"

#include <algorithm>

namespace tracefold {

namespace {

bool is_post(const Element& element) {
    return element.type == static_cast<u8>(EventType::MpiIrecvRequest) ||
           element.type == static_cast<u8>(EventType::NonBlockingCollectiveRequest);
}

/// Enters a path, whose visits count.
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

/// What belongs to the call path at hand, and is in no total of the folded form.
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

/// Where the transfer is booked: what is posted where it is completed, all else where the records
/// of the symbol are, which are several if they are in more than one region.
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
    const u64 program = program_of(location, script).value_or(0);
    const bool on_stream = file_.definitions().locations()[location].is_stream();
    const auto known = paths_.find({script, program, on_stream});
    if (known != paths_.end()) return known->second;
    return paths_
        .emplace(std::piecewise_construct, std::forward_as_tuple(script, program, on_stream),
                 std::forward_as_tuple(file_, script, program, on_stream))
        .first->second;
}

/// The first program that the location begins.
std::optional<u64> FoldedProfiler::program_of(u32 location, u32 script) {
    for (const u32 symbol : file_.structure().scripts[script].symbols) {
        const std::vector<Element>& elements = file_.structure().symbols[symbol].elements;
        const std::vector<Slot>& slots = file_.index().slots(symbol);
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            const Element& element = elements[slots[slot].element];
            const bool names_it =
                element.type == static_cast<u8>(EventType::ProgramBegin) && slots[slot].field == 0;
            if (!names_it) continue;
            std::optional<u64> code;
            counts_.visit(counts_.slot(symbol, slot, location), [&code](const ValueRun& run) {
                if (!code) code = run.start;
            });
            if (!code) return std::nullopt;
            const MappingTables tables = file_.mapping_tables(location);
            return element.raw ? tables.global(FieldKind::string, *code)
                               : tables.global_of_code(FieldKind::string, *code);
        }
    }
    return std::nullopt;
}

}  // namespace tracefold
