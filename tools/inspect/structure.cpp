// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/structure.hpp"

#include "common/json_document.hpp"
#include "common/rank_list.hpp"
#include "common/select_locations.hpp"
#include "inspect/command.hpp"
#include "pipeline/listing_source.hpp"

#include <functional>
#include <memory>

namespace tracefold {

namespace {

struct StructureArguments {
    std::string file;
    RankList ranks;
    ListingLimits limits;
};

/// Calls `sink` with every script of events and those of its participants that are selected.
void for_each_script(ListingSource& source, const std::vector<bool>& selected,
                     const std::function<void(const ListedScript&)>& sink) {
    const std::vector<Script>& scripts = source.structure().scripts;
    for (u32 script = 0; script < scripts.size(); ++script) {
        if (scripts[script].stream != Stream::events) continue;
        ParticipantList participants;
        for (const u32 location : source.counts().members_of_script(script)) {
            if (selected[location]) participants.add(location);
        }
        if (!participants.empty()) sink(list_script(source, script, participants));
    }
}

ExitCode run_structure(const StructureArguments& arguments, Console& console) {
    TraceFile file(arguments.file);
    const ParticipantNames names(file.definitions());
    const std::vector<bool> selected =
        select_locations(arguments.ranks, names, file.location_count());
    try {
        ListingSource source(file);
        if (!console.json()) {
            for_each_script(source, selected, [&](const ListedScript& script) {
                print_script(script, names, arguments.limits, console);
            });
            return exit_ok;
        }
        JsonWriter json(console.out(), console.json_layout());
        begin_document(json, "structure").member("file", arguments.file);
        json.key("scripts").begin_array();
        for_each_script(source, selected,
                        [&](const ListedScript& script) { write_script(script, names, json); });
        json.end_array().end_object();
    } catch (const Error& error) {
        throw error.in(arguments.file);
    }
    return exit_ok;
}

}  // namespace

InspectCommand add_structure_command(CLI::App& app) {
    auto arguments = std::make_shared<StructureArguments>();
    CLI::App* structure = app.add_subcommand(
        "structure", "The program as nested loops of calls with their arguments");
    structure->add_option("FILE", arguments->file, "File that trace_compress wrote")
        ->type_name("")
        ->required();
    add_ranks_option(*structure, arguments->ranks);
    structure->add_option("--depth", arguments->limits.depth, "Most levels to show; 0: all")
        ->type_name("N");
    structure
        ->add_option("--width", arguments->limits.width, "Most items of one body to show; 0: all")
        ->type_name("N");
    return {structure,
            [arguments](Console& console) { return run_structure(*arguments, console); }};
}

}  // namespace tracefold
