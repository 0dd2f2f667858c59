// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

#include "base/error.hpp"
#include "common/console.hpp"
#include "common/output_format.hpp"
#include "common/part_options.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "file/trace_file.hpp"
#include "inspect/command.hpp"
#include "model/participant_names.hpp"
#include "questions/system/system_tree.hpp"

#include <memory>
#include <vector>

#include <fnmatch.h>

namespace tracefold {

struct SystemReport {
    const SystemTree& tree;
    u64 ranks;  ///< number of MPI ranks
    std::string file;
};

/// Each function prints text, or one JSON object for a JSON console.

/// Prints types and numbers of copies.
void print_outline(const SystemReport& report, const std::vector<SystemOutline>& lines,
                   Console& console);
/// Prints every item.
void print_tree(const SystemReport& report, Console& console);
/// Prints the path from the root to each of these items, and their ranks.
void print_places(const SystemReport& report, const std::vector<u32>& items, Console& console);

/// JSON variants of the functions above.
void print_outline_json(const SystemReport& report, const std::vector<SystemOutline>& lines,
                        Console& console);
void print_tree_json(const SystemReport& report, Console& console);
void print_places_json(const SystemReport& report, const std::vector<u32>& items, Console& console);

namespace {

struct SystemArguments {
    TraceInput input;
    RankList ranks;
    std::string place;
    bool unfold = false;
};

/// The selected items; except for --ranks and --place, with their whole subtrees.
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
                    "no item of the system tree is named \"{}\"; --unfold lists all names",
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
    CLI::App* system =
        app.add_subcommand("system", "Machine of the recorded run: nodes, processes, threads");
    arguments->input.add_options(*system);
    CLI::Option* unfold = system->add_flag("--unfold", arguments->unfold,
                                           "List every item instead of types and copies");
    add_ranks_option(*system, arguments->ranks);
    system
        ->add_option("--place", arguments->place,
                     "Show the ranks on items of this name; * and ? match any characters")
        ->type_name("NAME")
        ->excludes("--ranks")
        ->excludes(unfold);
    unfold->excludes("--ranks");
    return {system, on_rank_zero(
                        [arguments](Console& console) { return run_system(*arguments, console); })};
}

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

namespace {

std::string ranks_text(const ParticipantList& ranks) {
    if (ranks.empty()) return "";
    return (ranks.size() == 1 ? "rank " : "ranks ") + set_text(ranks);
}

std::string names_text(const SystemOutline& line) {
    if (line.first_name == line.last_name) return line.first_name;
    return line.first_name + " ... " + line.last_name;
}

void add_lines(const std::vector<SystemOutline>& lines, std::size_t depth, Table& table) {
    for (const SystemOutline& line : lines) {
        table.add_row({std::string(2 * depth, ' ') + line.type,
                       line.copies == 1 ? "" : "x " + std::to_string(line.copies), names_text(line),
                       ranks_text(line.ranks)});
        add_lines(line.children, depth + 1, table);
    }
}

std::string item_text(const SystemTree::Item& item) {
    std::string text = item.type + " " + item.name;
    if (item.rank != kNone) text += " [rank " + std::to_string(item.rank) + "]";
    return printable(text);
}

void print_subtrees(const SystemTree& tree, Console& console) {
    std::vector<std::pair<u32, std::size_t>> open;
    const auto push = [&open](std::span<const u32> items, std::size_t depth) {
        for (std::size_t i = items.size(); i-- > 0;) open.emplace_back(items[i], depth);
    };
    push(tree.roots(), 0);
    while (!open.empty()) {
        const auto [item, depth] = open.back();
        open.pop_back();
        console.text() << std::string(2 * depth, ' ') << item_text(tree.items()[item]) << '\n';
        push(tree.children(item), depth + 1);
    }
}

}  // namespace

void print_outline(const SystemReport& report, const std::vector<SystemOutline>& lines,
                   Console& console) {
    if (console.json()) return print_outline_json(report, lines, console);
    Table table({{""}, {"", kRight}, {""}, {""}});
    add_lines(lines, 0, table);
    table.print(console);
}

void print_tree(const SystemReport& report, Console& console) {
    if (console.json()) return print_tree_json(report, console);
    print_subtrees(report.tree, console);
}

void print_places(const SystemReport& report, const std::vector<u32>& items, Console& console) {
    if (console.json()) return print_places_json(report, items, console);
    Table table({{""}, {"", kSentence}});
    for (const u32 item : items) {
        std::string way;
        for (const u32 step : report.tree.path(item)) {
            if (!way.empty()) way += " / ";
            way += report.tree.items()[step].name;
        }
        table.add_row({ranks_text(ParticipantList(report.tree.ranks_below(item))), way});
    }
    table.print(console);
}

}  // namespace tracefold
