// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "inspect/info/system.hpp"

namespace tracefold {

namespace {

JsonWriter begin(const SystemReport& report, std::string_view schema, Console& console) {
    JsonWriter json = begin_document(console, schema);
    json.member("file", report.file).member("ranks", report.ranks);
    return json;
}

void write_ranks(const ParticipantList& ranks, JsonWriter& json) {
    write_objects("ranks", ranks.runs(), json, [&](const ParticipantList::Run& run) {
        json.member("start", run.start).member("stride", run.stride).member("count", run.count);
    });
}

void write_lines(const std::vector<SystemOutline>& lines, u64 depth, JsonWriter& json) {
    for (const SystemOutline& line : lines) {
        json.begin_object()
            .member("depth", depth)
            .member("type", line.type)
            .member("copies", line.copies)
            .member("first_name", line.first_name)
            .member("last_name", line.last_name);
        write_ranks(line.ranks, json);
        json.end_object();
        write_lines(line.children, depth + 1, json);
    }
}

void write_item(const SystemTree& tree, u32 item, JsonWriter& json) {
    const SystemTree::Item& content = tree.items()[item];
    json.begin_object()
        .member("item", item)
        .member("type", content.type)
        .member("name", content.name);
    if (content.parent != kNone) json.member("parent", content.parent);
    if (content.rank != kNone) json.member("rank", content.rank);
    json.end_object();
}

}  // namespace

void print_outline_json(const SystemReport& report, const std::vector<SystemOutline>& lines,
                        Console& console) {
    JsonWriter json = begin(report, "system", console);
    json.key("outline").begin_array();
    write_lines(lines, 0, json);
    json.end_array().end_object();
}

void print_tree_json(const SystemReport& report, Console& console) {
    JsonWriter json = begin(report, "system_items", console);
    json.key("items").begin_array();
    for (u32 item = 0; item < report.tree.items().size(); ++item) {
        write_item(report.tree, item, json);
    }
    json.end_array().end_object();
}

void print_places_json(const SystemReport& report, const std::vector<u32>& items,
                       Console& console) {
    JsonWriter json = begin(report, "system_places", console);
    write_objects("places", items, json, [&](u32 item) {
        write_ranks(ParticipantList(report.tree.ranks_below(item)), json);
        json.key("path").begin_array();
        for (const u32 step : report.tree.path(item)) write_item(report.tree, step, json);
        json.end_array();
    }).end_object();
}

}  // namespace tracefold
