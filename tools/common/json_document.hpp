// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "core/json_writer.hpp"

namespace tracefold {

/// Opens the outermost object of what a tool prints with --json. It says what it is by its first
/// member, "schema": {"name": "tracefold.info", "version": 1}; docs/json.md describes every schema.
/// A version changes when a member goes or means something else, not when one is added.
inline JsonWriter& begin_document(JsonWriter& json, std::string_view schema, int version = 1) {
    json.begin_object().key("schema").begin_object();
    json.member("name", "tracefold." + std::string(schema)).member("version", version);
    return json.end_object();
}

/// The same on the stream of results.
inline JsonWriter begin_document(Console& console, std::string_view schema) {
    JsonWriter json(console.out(), console.json_layout());
    begin_document(json, schema);
    return json;
}

/// The member KEY of the object at hand: an array of values.
template <class Values>
JsonWriter& write_list(std::string_view key, const Values& values, JsonWriter& json) {
    json.key(key).begin_array();
    for (const auto& value : values) json.value(value);
    return json.end_array();
}

/// The member KEY of the object at hand: an array with an object for each item, whose members
/// WRITE adds.
template <class Items, class Write>
JsonWriter& write_objects(std::string_view key, const Items& items, JsonWriter& json,
                          const Write& write) {
    json.key(key).begin_array();
    for (const auto& item : items) {
        json.begin_object();
        write(item);
        json.end_object();
    }
    return json.end_array();
}

}  // namespace tracefold
