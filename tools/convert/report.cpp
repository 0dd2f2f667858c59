// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/json_document.hpp"
#include "common/units.hpp"
#include "convert/conversion.hpp"

namespace tracefold {

namespace {

using Pieces = std::vector<std::pair<u64, std::string>>;

/// "  NAME: 3 messages, 2 collective operations"; nothing if all counts are 0.
void say(std::string_view name, const Pieces& pieces, Console& console) {
    std::string line;
    for (const auto& [count, thing] : pieces) {
        if (count == 0) continue;
        line += (line.empty() ? "  " + std::string(name) + ": " : ", ") + format_count(count) +
                " " + thing;
    }
    if (!line.empty()) console.summary(line);
}

}  // namespace

void report_conversion(const ConvertArguments& arguments, const std::string& output,
                       const std::string& summary, Console& console,
                       const std::function<void(JsonWriter& json)>& members) {
    if (!console.json()) {
        console.summary(summary);
        return;
    }
    JsonWriter json(console.out(), console.json_layout());
    begin_document(json, "conversion")
        .member("output", output)
        .member("format", arguments.target->name);
    members(json);
    add_part(json, arguments.part.report);
    add_clocks(json, arguments.clock_report);
    json.end_object();
}

void report_part(const CutReport& report, Console& console) {
    std::string line =
        "  part: " + format_count(report.kept) + " of " + format_count(report.events) + " events";
    if (report.added != 0) line += ", " + format_count(report.added) + " added at its edges";
    console.summary(line);
    Pieces dropped;
    for (const auto& [type, count] : report.dropped_records) dropped.emplace_back(count, type);
    dropped.emplace_back(report.dropped_attributes, "attributes");
    say("left out", dropped, console);
    const PartnerCounts& partners = report.partners;
    say("cut through, and left out",
        {{partners.cut_messages, "messages"},
         {partners.cut_collectives, "collective operations"},
         {partners.torn, "operations begun or completed outside"}},
        console);
    say("without partners in the part",
        {{partners.lone_messages, "messages"},
         {partners.partial_collectives, "collective operations"}},
        console);
}

void add_part(JsonWriter& json, const CutReport* report) {
    if (report == nullptr) return;
    const PartnerCounts& partners = report->partners;
    json.key("part")
        .begin_object()
        .member("events_of_trace", report->events)
        .member("events", report->kept)
        .member("events_added", report->added)
        .member("cut_messages", partners.cut_messages)
        .member("cut_collectives", partners.cut_collectives)
        .member("torn_operations", partners.torn)
        .member("lone_messages", partners.lone_messages)
        .member("partial_collectives", partners.partial_collectives)
        .member("dropped_attributes", report->dropped_attributes);
    json.key("dropped_records").begin_object();
    for (const auto& [type, count] : report->dropped_records) json.member(type, count);
    json.end_object().end_object();
}

void warn_about_part(const CutReport& report, Console& console) {
    for (const RecordKind kind : report.idle) {
        console.warning("--drop " + std::string(name_of(kind)) +
                        " has no effect: there are none in the part");
    }
    if (report.kept == report.events && report.added == 0 && report.dropped_attributes == 0) {
        console.warning("the part is the whole trace: nothing is left out");
    }
    warn_about_dropped_files(report.dropped_files, console);
}

void warn_about_dropped_files(const std::vector<std::string>& paths, Console& console) {
    if (paths.empty()) return;
    console.warning(std::to_string(paths.size()) +
                    " files that came with the archive are left out");
}

}  // namespace tracefold
