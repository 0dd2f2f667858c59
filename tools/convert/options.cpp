// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "convert/options.hpp"

#include "common/common_options.hpp"

namespace tracefold {

void add_options(CLI::App& app, ConvertArguments& arguments) {
    app.add_option("FILE", arguments.input, "File that trace_compress wrote")
        ->type_name("")
        ->required();
    add_choice<TargetFormat>(app, "--to", arguments.format,
                             {{"otf2", TargetFormat::otf2}, {"text", TargetFormat::text}},
                             "Format to write")
        ->required();
    app.add_option("-o,--output", arguments.output,
                   "Folder of the archive (default: FILE without its suffix), or file of the text "
                   "(default: -, standard output)")
        ->type_name("PATH");
    app.add_option_function<std::string>(
           "--ranks",
           [&arguments](const std::string& text) { arguments.ranks = RankList::parse(text); },
           "Text of these ranks only, as in 0-15,64")
        ->type_name("LIST");
}

}  // namespace tracefold
