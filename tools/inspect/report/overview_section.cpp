// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/clock_option.hpp"
#include "common/csv.hpp"
#include "common/losses.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/info/info.hpp"
#include "inspect/report/sections.hpp"
#include "inspect/report/text_console.hpp"
#include "inspect/structure/findings.hpp"

#include <fmt/core.h>

namespace tracefold {

namespace {

void put_fact(ReportPage& page, std::string_view name, const std::string& what) {
    if (what.empty()) return;
    page.out() << "<div><span>" << markup_text(name) << "</span>" << markup_text(what)
               << "</div>\n";
}

void put_facts(ReportPage& page, ReportSource& source, const FileOverview& overview) {
    const ArchiveInfo& archive = source.file.archive();
    page.out() << "<div class=\"panel facts\">\n";
    put_fact(page, "MPI ranks", format_count(overview.ranks));
    put_fact(page, "locations", format_count(source.file.location_count()));
    put_fact(page, "events", format_count(overview.events));
    put_fact(page, "duration", format_time(source.seconds(overview.trace_length)));
    put_fact(page, "times", std::string(timing_name(source.file.summary().timing)));
    if (source.clocks) put_fact(page, "clocks", "corrected (--sync-clocks)");
    put_fact(page, "archive", format_size(source.file.summary().archive_bytes));
    put_fact(page, "folded", format_size(overview.file_bytes));
    put_fact(page, "recorded by", archive.creator);
    put_fact(page, "machine", archive.machine_name);
    page.out() << "</div>\n";
}

std::string regions_csv(const FileOverview& overview) {
    std::string csv = "region,calls,locations\n";
    for (const FileOverview::Region& region : overview.regions) {
        csv += fmt::format("{},{},{}\n", csv_field(region.name), region.calls, region.locations);
    }
    return csv;
}

void put_losses(ReportPage& page, const std::vector<FileLoss>& losses) {
    if (losses.empty()) return;
    page.begin("What the archive had lost", "losses");
    TextConsole text;
    print_losses(losses, true, text.console());
    page.preformatted(text.text());
    page.end();
}

}  // namespace

void put_overview(ReportPage& page, ReportSource& source) {
    const FileOverview overview = file_overview(source.file);
    put_facts(page, source, overview);
    put_losses(page, source.file.summary().losses);
    page.begin("What the folding found", "findings");
    if (source.clocks) {
        for (const std::string& sentence : sync_sentences(*source.clocks)) {
            page.note(fmt::format("{} (--sync-clocks).", sentence));
        }
    }
    TextConsole text;
    const Findings findings = find_out(source.file, source.listing, source.steps,
                                       source.times ? &*source.times : nullptr);
    print_findings(findings, source.names, text.console());
    page.preformatted(text.text());
    page.data("regions.csv", regions_csv(overview));
    page.end();
    page.explain("location", "A stream of events of its own: a process, or one of its threads.");
    page.explain("main loop",
                 "The loop of the folded program in which the locations make most of their calls.");
    page.explain("steps",
                 "What all ranks do again and again, together; inferred from the order of their "
                 "messages and collective calls.");
    page.explain("MPI share", "Time within MPI calls, in parts of the time of all locations.");
    page.explain("stencil",
                 "A grid of ranks in which each sends to the same neighbours; found from who "
                 "sends to whom, not from names.");
}

}  // namespace tracefold
