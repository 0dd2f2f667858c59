// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "convert/options.hpp"

#include "common/common_options.hpp"

namespace tracefold {

void add_options(CLI::App& app, ConvertArguments& arguments) {
    app.add_option("FILE", arguments.input, "File that trace_compress wrote")
        ->type_name("")
        ->required();
    add_choice<TargetFormat>(app, "--to", arguments.format, {{"otf2", TargetFormat::otf2}},
                             "Format to write")
        ->required();
    app.add_option("-o,--output", arguments.output,
                   "Folder for the archive (default: FILE without its suffix)")
        ->type_name("PATH");
}

}  // namespace tracefold
