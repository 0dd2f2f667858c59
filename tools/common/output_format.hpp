// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.hpp"
#include "base/json_writer.hpp"
#include "common/console.hpp"

#include <CLI/CLI.hpp>

namespace tracefold {

/// Output formats besides text and JSON.
struct OutputFormat {
    bool csv = false;
    bool svg = false;

    /// Adds --csv and, with a picture, --svg. `this` must outlive APP.
    void add_options(CLI::App& app, bool with_svg) {
        CLI::Option* as_csv = app.add_flag("--csv", csv, "Print comma-separated values");
        if (with_svg) app.add_flag("--svg", svg, "Print an SVG picture")->excludes(as_csv);
    }

    /// Shows a view as json(view, console), csv(view, stream) or text(view, console).
    template <class View, class Json, class Csv, class Text>
    void show(const View& view, Console& console, const Json& json, const Csv& as_csv,
              const Text& text) const {
        if (console.json()) {
            json(view, console);
        } else if (csv) {
            as_csv(view, console.out());
        } else {
            text(view, console);
        }
    }

    /// Shows a view in the requested format, which may be picture(view, stream).
    template <class View, class Json, class Csv, class Picture, class Text>
    void show(const View& view, Console& console, const Json& json, const Csv& as_csv,
              const Picture& picture, const Text& text) const {
        if (svg) {
            picture(view, console.out());
        } else {
            show(view, console, json, as_csv, text);
        }
    }

    /// Throws Error(usage) if combined with --json.
    void check(const Console& console) const {
        if (console.json() && (csv || svg)) {
            throw Error(ErrorKind::usage,
                        std::string("--json excludes ") + (csv ? "--csv" : "--svg"));
        }
    }
};

/// Opens the outermost object of --json output. Its first member identifies it: "schema": {"name":
/// "tracefold.info", "version": 1}; docs/reference/json.md describes all schemas. The version
/// changes when a member is removed or redefined, not when one is added.
inline JsonWriter& begin_document(JsonWriter& json, std::string_view schema, int version = 1) {
    json.begin_object().key("schema").begin_object();
    json.member("name", "tracefold." + std::string(schema)).member("version", version);
    return json.end_object();
}

/// Opens the outermost object on the stream of results.
inline JsonWriter begin_document(Console& console, std::string_view schema) {
    JsonWriter json(console.out(), console.json_layout());
    begin_document(json, schema);
    return json;
}

/// Writes the member KEY of the current object: an array of values.
template <class Values>
JsonWriter& write_list(std::string_view key, const Values& values, JsonWriter& json) {
    json.key(key).begin_array();
    for (const auto& value : values) json.value(value);
    return json.end_array();
}

/// Writes the member KEY of the current object: an array with an object per item, by WRITE.
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
