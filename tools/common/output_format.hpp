// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"
#include "core/error.hpp"

#include <CLI/CLI.hpp>

namespace tracefold {

/// Forms of a result besides text and JSON.
struct OutputFormat {
    bool csv = false;
    bool svg = false;

    /// Adds --csv and, where there is a picture, --svg. `this` must outlive APP.
    void add_options(CLI::App& app, bool with_svg) {
        CLI::Option* as_csv = app.add_flag("--csv", csv, "Print comma separated values");
        if (with_svg) app.add_flag("--svg", svg, "Print a picture as SVG")->excludes(as_csv);
    }

    /// Shows a view in the form that is wanted: json(view, console), csv(view, stream) or
    /// text(view, console).
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

    /// The same with a picture: picture(view, stream).
    template <class View, class Json, class Csv, class Picture, class Text>
    void show(const View& view, Console& console, const Json& json, const Csv& as_csv,
              const Picture& picture, const Text& text) const {
        if (svg) {
            picture(view, console.out());
        } else {
            show(view, console, json, as_csv, text);
        }
    }

    /// Throws Error(usage) if --json is wanted, too.
    void check(const Console& console) const {
        if (console.json() && (csv || svg)) {
            throw Error(ErrorKind::usage,
                        std::string("--json excludes ") + (csv ? "--csv" : "--svg"));
        }
    }
};

}  // namespace tracefold
