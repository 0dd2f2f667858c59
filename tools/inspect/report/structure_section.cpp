// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/csv.hpp"
#include "inspect/report/sections.hpp"
#include "inspect/report/text_console.hpp"
#include "inspect/structure/structure.hpp"

#include <fmt/core.h>

namespace tracefold {

namespace {

/// Scripts that are listed; a page of all scripts of an irregular program would be no overview.
constexpr u64 kMostScripts = 4;
constexpr ListingLimits kLimits{6, 30, 60};

std::string nodes_csv(const ListedScript& script, const ParticipantNames& names) {
    std::string csv;
    const std::string who = csv_field(names.text(script.participants));
    for (u32 node = 0; node < script.nodes.size(); ++node) {
        const ListedNode& listed = script.nodes[node];
        const bool loop = listed.kind == ListedNode::Kind::loop;
        csv += fmt::format("{},{},{},{},{}\n", who, node, loop ? "loop" : csv_field(listed.name),
                           listed.visits, listed.executions);
    }
    return csv;
}

}  // namespace

void put_structure(ReportPage& page, ReportSource& source) {
    page.begin("Structure", "structure");
    page.note(
        "The program as it was traced: loops with their iterations, calls with their "
        "arguments as functions of the rank.");
    TextConsole text;
    std::string csv = "participants,node,call,visits,executions\n";
    u64 scripts = 0;
    for_each_script(source.listing, source.everyone, [&](u32 number, const ParticipantList& who) {
        ListedScript script = list_script(source.listing, number, who);
        csv += nodes_csv(script, source.names);
        if (++scripts > kMostScripts) return;
        list_places(source.listing, number, script);
        list_functions(source.listing, script);
        std::optional<LineTimes> times;
        if (source.times) times = line_times(script, *source.times, source.listing.counts());
        print_script(script, source.names, times, kLimits, text.console());
    });
    page.preformatted(text.text());
    if (scripts > kMostScripts) {
        page.note(std::to_string(scripts - kMostScripts) +
                  " more scripts are left out; trace_inspect structure shows them.");
    }
    page.data("structure.csv", csv);
    page.end();
    page.explain("script",
                 "What a location executes, in folded form; locations with the same "
                 "calls share one.");
    page.explain("loop x N",
                 "What follows, further in, was executed N times in a row; N..M "
                 "where it varies.");
}

}  // namespace tracefold
