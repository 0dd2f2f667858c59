// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/structure_document.hpp"

#include <array>

namespace tracefold {

namespace {

std::string_view role_name(ValueRole role) {
    constexpr std::array<std::string_view, 9> kNames = {"number",      "signed_number", "bytes",
                                                        "peer_offset", "peer_modulo",   "peer_xor",
                                                        "peer_rank",   "name",          "opaque"};
    return kNames[static_cast<std::size_t>(role)];
}

/// Location indices as [start, stride, count].
void write_participants(const ParticipantList& list, const ParticipantNames& names,
                        JsonWriter& json) {
    json.member("participants", names.text(list));
    json.key("locations").begin_array();
    for (const ParticipantList::Run& run : list.runs()) {
        json.begin_array().value(run.start).value(run.stride).value(run.count).end_array();
    }
    json.end_array();
}

void write_number(ValueRole role, u64 value, JsonWriter& json) {
    const bool is_signed = role == ValueRole::signed_number || role == ValueRole::peer_offset;
    if (is_signed) {
        json.value(static_cast<i64>(value));
    } else {
        json.value(value);
    }
}

std::string_view order_name(ValueOrder order) {
    constexpr std::array<std::string_view, 4> kNames = {"none", "progression", "in_turn", "phases"};
    return kNames[static_cast<std::size_t>(order)];
}

void write_order(ValueRole role, const ValueSummary& values, JsonWriter& json) {
    if (values.is_constant() || role == ValueRole::opaque) return;
    json.member("order", order_name(values.order));
    if (values.order == ValueOrder::progression) {
        json.member("step", static_cast<i64>(values.step));
    }
}

void write_variants(ValueRole role, const std::vector<ListedVariant>& variants,
                    const ParticipantNames& names, JsonWriter& json) {
    json.begin_array();
    for (const ListedVariant& variant : variants) {
        json.begin_object();
        if (variants.size() > 1) write_participants(variant.participants, names, json);
        json.key("values").begin_array();
        for (const u64 value : variant.values.values) write_number(role, value, json);
        json.end_array();
        if (!variant.labels.empty()) {
            json.key("names").begin_array();
            for (const std::string& label : variant.labels) json.value(label);
            json.end_array();
        }
        json.key("minimum");
        write_number(role, variant.values.minimum, json);
        json.key("maximum");
        write_number(role, variant.values.maximum, json);
        json.member("distinct", variant.values.distinct);
        write_order(role, variant.values, json);
        json.end_object();
    }
    json.end_array();
}

/// A list per variant.
void write_in_place(const ListedArgument& argument, JsonWriter& json) {
    if (argument.in_place.empty()) return;
    json.member("must_be_in_place", argument.must_be_in_place).key("in_place").begin_array();
    for (const ValueSummary& summary : argument.in_place) {
        json.begin_array();
        for (const u64 value : summary.values) write_number(argument.role, value, json);
        json.end_array();
    }
    json.end_array();
}

void write_records(const std::vector<ListedRecord>& records, const ParticipantNames& names,
                   JsonWriter& json) {
    json.key("records").begin_array();
    for (const ListedRecord& record : records) {
        json.begin_object().member("name", record.name);
        json.key("arguments").begin_array();
        for (const ListedArgument& argument : record.arguments) {
            json.begin_object()
                .member("name", argument.name)
                .member("kind", role_name(argument.role));
            json.key("variants");
            write_variants(argument.role, argument.variants, names, json);
            write_in_place(argument, json);
            if (!argument.places.empty()) {
                json.key("places").begin_array();
                for (const std::string& place : argument.places) json.value(place);
                json.end_array();
            }
            json.end_object();
        }
        json.end_array().end_object();
    }
    json.end_array();
}

void write_items(std::string_view key, const std::vector<u32>& items, JsonWriter& json) {
    json.key(key).begin_array();
    for (const u32 item : items) json.value(item);
    json.end_array();
}

/// Writes nodes with several places separately for each place.
void write_places(const ListedScript& script, const ParticipantNames& names, JsonWriter& json) {
    json.key("places").begin_array();
    for (const ListedPlace& listed : script.places) {
        const u32 body = listed.place.body;
        json.begin_object();
        if (body != kNone) json.member("body", script.leaf_count + body);
        json.member("item", listed.place.item).member("node", script.node_at(listed.place));
        json.key("count");
        write_variants(ValueRole::number, listed.counts, names, json);
        write_records(listed.records, names, json);
        json.end_object();
    }
    json.end_array();
}

}  // namespace

void write_script(const ListedScript& script, const ParticipantNames& names,
                  const std::optional<LineTimes>& times, TickRate rate, JsonWriter& json) {
    json.begin_object();
    write_participants(script.participants, names, json);
    if (times) json.member("seconds", rate.seconds(times->total));
    json.key("nodes").begin_array();
    for (std::size_t number = 0; number < script.nodes.size(); ++number) {
        const ListedNode& node = script.nodes[number];
        json.begin_object().member("kind", node.kind ? kind_name(*node.kind) : "loop");
        if (!node.name.empty()) json.member("name", node.name);
        json.member("executions", node.executions);
        if (node.is_pooled) json.member("pooled", true);
        if (times) {
            const double ticks = times->per_visit[number] * static_cast<double>(node.visits);
            json.member("seconds", rate.seconds(ticks));
            json.member("seconds_per_visit", rate.seconds(times->per_visit[number]));
            if (node.is_loop()) json.member("iterations_per_visit", times->iterations[number]);
        }
        json.key("count");
        write_variants(ValueRole::number, node.counts, names, json);
        if (node.is_loop()) {
            write_items("body", node.body, json);
        } else {
            write_records(node.records, names, json);
        }
        json.end_object();
    }
    json.end_array();
    write_items("root", script.root, json);
    write_places(script, names, json);
    json.end_object();
}

void for_each_script(ListingSource& source, const std::vector<bool>& selected,
                     const std::function<void(u32 script, const ParticipantList&)>& sink) {
    const std::vector<Script>& scripts = source.structure().scripts;
    for (u32 script = 0; script < scripts.size(); ++script) {
        if (scripts[script].stream != Stream::events) continue;
        ParticipantList participants;
        for (const u32 location : source.counts().members_of_script(script)) {
            if (selected[location]) participants.add(location);
        }
        if (!participants.empty()) sink(script, participants);
    }
}

}  // namespace tracefold
