// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/info/system.hpp"

#include "analysis/system_outline.hpp"
#include "common/rank_list.hpp"
#include "core/error.hpp"
#include "inspect/command.hpp"
#include "trace/trace_file.hpp"

#include <memory>

#include <fnmatch.h>

namespace tracefold {

namespace {

struct SystemArguments {
    TraceInput input;
    RankList ranks;
    std::string place;
    bool unfold = false;
};

/// The items that the options ask for; all but those of --ranks and --place are whole subtrees.
std::vector<u32> wanted_items(const SystemTree& tree, const SystemArguments& arguments,
                              u64 rank_count) {
    std::vector<u32> wanted;
    if (!arguments.ranks.selects_all()) {
        for (const u64 rank : arguments.ranks.select(rank_count)) {
            if (const auto item = tree.item_of_process(rank)) wanted.push_back(*item);
        }
        return wanted;
    }
    for (u32 item = 0; item < tree.items().size(); ++item) {
        const SystemTree::Item& content = tree.items()[item];
        if (::fnmatch(arguments.place.c_str(), content.name.c_str(), 0) == 0) {
            wanted.push_back(item);
        }
    }
    if (wanted.empty()) {
        throw Error(ErrorKind::usage,
                    "nothing in the system tree is named \"{}\"; --unfold lists all names",
                    arguments.place);
    }
    return wanted;
}

ExitCode run_system(const SystemArguments& arguments, Console& console) {
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    TraceFile& file = input->file();
    const auto records = file.global_definitions();
    const SystemTree tree(file.definitions(), *records);
    const SystemReport report{tree, file.definitions().world_size(), arguments.input.path};
    if (!arguments.ranks.selects_all() || !arguments.place.empty()) {
        print_places(report, wanted_items(tree, arguments, report.ranks), console);
    } else if (arguments.unfold) {
        print_tree(report, console);
    } else {
        print_outline(report, outline(tree), console);
    }
    return exit_ok;
}

}  // namespace

InspectCommand add_system_command(CLI::App& app) {
    auto arguments = std::make_shared<SystemArguments>();
    CLI::App* system = app.add_subcommand(
        "system", "The machine that the trace was recorded on: nodes, processes, threads");
    arguments->input.add_options(*system);
    CLI::Option* unfold = system->add_flag("--unfold", arguments->unfold,
                                           "List every item instead of types and copies");
    add_ranks_option(*system, arguments->ranks);
    system
        ->add_option("--place", arguments->place,
                     "Which ranks were at the items of this name; * and ? match any characters")
        ->type_name("NAME")
        ->excludes("--ranks")
        ->excludes(unfold);
    unfold->excludes("--ranks");
    return {system,
            alone([arguments](Console& console) { return run_system(*arguments, console); })};
}

}  // namespace tracefold
