// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/table.hpp"
#include "common/text.hpp"
#include "inspect/info/system.hpp"
#include "names/participant_names.hpp"

namespace tracefold {

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
        console.out() << std::string(2 * depth, ' ') << item_text(tree.items()[item]) << '\n';
        push(tree.children(item), depth + 1);
    }
}

}  // namespace

void print_outline(const SystemReport& report, const std::vector<SystemOutline>& lines,
                   Console& console) {
    if (console.json()) return print_outline_json(report, lines, console);
    Table table({{""}, {"", kRight}, {""}, {""}});
    add_lines(lines, 0, table);
    table.print(console.out());
}

void print_tree(const SystemReport& report, Console& console) {
    if (console.json()) return print_tree_json(report, console);
    print_subtrees(report.tree, console);
}

void print_places(const SystemReport& report, const std::vector<u32>& items, Console& console) {
    if (console.json()) return print_places_json(report, items, console);
    Table table({{""}, {""}});
    for (const u32 item : items) {
        std::string way;
        for (const u32 step : report.tree.path(item)) {
            if (!way.empty()) way += " / ";
            way += report.tree.items()[step].name;
        }
        table.add_row({ranks_text(ParticipantList(report.tree.ranks_below(item))), way});
    }
    table.print(console.out());
}

}  // namespace tracefold
