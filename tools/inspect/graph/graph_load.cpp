// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "common/command_line.hpp"
#include "common/part_options.hpp"
#include "fold/late_values.hpp"
#include "inspect/calls/argument_text.hpp"
#include "inspect/graph/graph.hpp"
#include "model/definition_table.hpp"
#include "questions/graph/build_graph.hpp"
#include "questions/graph/recover.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace tracefold {

ValueRole role_of(const SignatureArgument& argument) {
    if (argument.kind == FieldKind::bytes) return ValueRole::bytes;
    if (argument.kind != FieldKind::peer) return ValueRole::number;
    return kPeerRoles[static_cast<std::size_t>(argument.peers)];
}

LoadedGraph::LoadedGraph(TraceFile& file, const std::string& path, const FlowSelection& selection,
                         const SignatureParts& parts, bool times, u32 threads)
    : path_(path),
      file_(file),
      source_(file_),
      names_(file_.definitions()),
      signatures_(source_, parts),
      rate_(file_.definitions().tick_rate()) {
    drain(*file_.global_definitions(), [this](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            if (head.type != static_cast<u8>(DefinitionType::Region)) continue;
            const u64 region = batch.values(head)[0];
            regions_.try_emplace(file_.definitions().region_name(region), region);
        }
    });
    select(selection);
    has_times_ = file_.summary().timing == TimingLevel::histogram;
    if (!times || has_times_) return;
    if (!keeps_every_time(file_.summary().timing)) {
        throw Error(ErrorKind::usage, "the file keeps no times; leave out --times");
    }
    add_exact_times(graph_, file_, signatures_, locations_, threads);
    has_times_ = true;
}

AcceleratorUse LoadedGraph::accelerator_use(const std::string& name, u32 location) const {
    const DefinitionIndex& definitions = file_.definitions();
    const bool on_stream = definitions.locations()[location].is_stream();
    if (on_stream && name.starts_with("Rma")) return AcceleratorUse::copy;
    const auto region = regions_.find(name);
    return region == regions_.end() ? AcceleratorUse::none
                                    : definitions.accelerator_use(region->second, on_stream);
}

void LoadedGraph::select(const FlowSelection& selection) {
    std::vector<bool> selected = select_locations(selection.ranks, names_, file_.location_count());
    for (u32 location = 0; location < selected.size(); ++location) {
        if (file_.definitions().locations()[location].is_metric()) selected[location] = false;
    }
    std::vector<ParticipantList> classes = flow_classes(source_, signatures_, selected);
    if (classes.empty()) throw Error(ErrorKind::usage, "these ranks have no events");
    if (selection.flow_class) {
        if (*selection.flow_class >= classes.size()) {
            throw Error(ErrorKind::usage, "there is no class {}: the classes are 0 to {}",
                        *selection.flow_class, classes.size() - 1);
        }
        classes = {classes[*selection.flow_class]};
    }
    ParticipantList all;
    for (const ParticipantList& members : classes) all.unite(members);
    locations_ = all.members();
    graph_ = build_graph(file_, source_, signatures_, std::move(classes));
}

/// Communicators and similar objects are named if they are the same on all ranks: ids differ.
std::string LoadedGraph::argument(const FlowNode& node, const SignatureArgument& argument) const {
    switch (argument.kind) {
        case FieldKind::comm:
        case FieldKind::rma_win:
        case FieldKind::io_handle:
            break;
        default:
            return value_text(role_of(argument), argument.value);
    }
    if (argument.kind == FieldKind::comm && argument.value == kNeverCompleted) {
        return "never completed";
    }
    std::set<std::string> labels;
    for (const ParticipantList::Run& run : node.participants.runs()) {
        for (u32 i = 0; i < run.count && labels.size() < 2; ++i) {
            const u64 global = source_.local_ids().global(argument.kind, argument.value,
                                                          run.start + i * run.stride);
            labels.insert(source_.names().label(argument.kind, global));
        }
    }
    if (labels.size() == 1) return *labels.begin();
    return "the rank's #" + std::to_string(argument.value);
}

std::vector<std::string> LoadedGraph::argument_list(const FlowNode& node) const {
    std::vector<std::string> list;
    const u32 context = node.signature.context;
    if (context != kNone && context > kEndVertex) list.push_back("after " + text(graph_[context]));
    for (const SignatureArgument& part : node.signature.arguments) {
        const bool speaks_for_itself = part.name == "bytes";
        list.push_back((speaks_for_itself ? "" : std::string(part.name) + " ") +
                       argument(node, part));
    }
    return list;
}

std::string LoadedGraph::text(const FlowNode& node) const {
    const std::string list = CLI::detail::join(argument_list(node), ", ");
    return node.signature.name + (list.empty() ? "" : " (" + list + ")");
}

std::string LoadedGraph::full_text(const FlowNode& node) const {
    std::string text;
    const CallPaths& paths = graph_[boost::graph_bundle].paths;
    for (const std::string& region : paths.regions(node.signature.path)) {
        text.append(region).append("/");
    }
    return text + this->text(node);
}

void parse_signature(const std::string& text, SignatureParts& parts) {
    const std::vector<std::pair<std::string, bool*>> words{
        {"peer", &parts.peer}, {"size", &parts.size}, {"comm", &parts.comm},
        {"tag", &parts.tag},   {"path", &parts.path}, {"context", &parts.context},
        {"site", &parts.site}};
    for (const auto& [word, part] : words) *part = false;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(',', begin), text.size());
        const std::string item = text.substr(begin, end - begin);
        begin = end + 1;
        const auto known = std::find_if(words.begin(), words.end(),
                                        [&item](const auto& word) { return word.first == item; });
        if (known != words.end()) {
            *known->second = true;
        } else if (item != "call") {
            throw UnknownWord(item,
                              {"call", "peer", "size", "comm", "tag", "path", "context", "site"});
        }
    }
}

}  // namespace tracefold
