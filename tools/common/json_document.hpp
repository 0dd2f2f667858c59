// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

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

}  // namespace tracefold
