// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/losses.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/gaps.hpp"
#include "inspect/info/info.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/mpi_function.hpp"
#include "names/enumerator_names.hpp"

#include <algorithm>
#include <cmath>

#include <fmt/core.h>

namespace tracefold {

namespace {

constexpr std::size_t kIndent = 2;
/// Rows of a list without --all.
constexpr std::size_t kMostShown = 10;
constexpr std::size_t kMostColumns = 20;

/// Lines of a name and what it is, under a heading; what is not known is left out.
class Facts {
  public:
    Facts(Console& console, const std::string& title) : console_(console), table_({{""}, {""}}) {
        console_.out() << console_.paint(Style::bold, title) << '\n';
    }
    void add(const std::string& name, const std::string& what) {
        if (!what.empty()) table_.add_row({name, what});
    }
    void add_unless_zero(const std::string& name, u64 number) {
        if (number != 0) table_.add_row({name, std::to_string(number)});
    }
    ~Facts() { table_.print(console_.out(), kIndent); }
    Facts(const Facts&) = delete;
    Facts& operator=(const Facts&) = delete;

  private:
    Console& console_;
    Table table_;
};

/// How its files come back with --to otf2.
std::string restoration_text(const TraceFile& file) {
    if (!file.summary().exact_bytes) return "";
    const Section* const kept = file.container().find(SectionKind::kept_bytes);
    const std::size_t files = kept == nullptr ? 0 : file.kept_bytes()->files().size();
    if (files == 0) return "byte by byte";
    return "byte by byte, with " + format_size(kept->stored_size) + " of kept bytes for " +
           format_count(files) + (files == 1 ? " file" : " files");
}

void print_archive(const TraceFile& file, Console& console) {
    const ArchiveInfo& archive = file.archive();
    Facts facts(console, "archive");
    facts.add("name", archive.name);
    facts.add("OTF2", archive.version_text());
    facts.add("creator", archive.creator);
    facts.add("machine", archive.machine_name);
    facts.add("description", archive.description);
    for (const auto& [name, value] : archive.properties) facts.add(name, value);
    facts.add("comes back", restoration_text(file));
}

std::string by_type(const std::map<u64, u64>& numbers, Enumeration types) {
    u64 total = 0;
    std::string parts;
    for (const auto& [type, number] : numbers) {
        total += number;
        parts.append(parts.empty() ? " (" : ", ").append(std::to_string(number)).append(" ");
        parts += enumerator_name(types, type);
    }
    return std::to_string(total) + (parts.empty() ? "" : parts + ")");
}

double seconds(const FileOverview& overview) {
    return TickRate(overview.timer_resolution).seconds(overview.trace_length);
}

void print_trace(const TraceFile& file, const FileOverview& overview, const RecordingGaps& gaps,
                 Console& console) {
    const auto definitions = [&overview](DefinitionType type) {
        return overview.definitions[static_cast<std::size_t>(type)];
    };
    Facts facts(console, "trace");
    facts.add("ranks", std::to_string(overview.ranks));
    if (gaps.kind == ProcessKind::pe) facts.add("PEs", std::to_string(gaps.processes));
    facts.add("location groups",
              by_type(overview.location_group_types, Enumeration::location_group_type));
    facts.add("locations", by_type(overview.location_types, Enumeration::location_type));
    facts.add("events", format_count(overview.events));
    facts.add("definitions", format_count(file.archive().global_definition_count) + " global, " +
                                 format_count(overview.local_definitions) + " local");
    facts.add("communicators", format_count(definitions(DefinitionType::Comm) +
                                            definitions(DefinitionType::InterComm)));
    facts.add("duration", format_time(seconds(overview)));
    facts.add("clock", format_count(overview.timer_resolution) + " ticks per second");
}

void print_what_is_left_out(const TraceFile& file, const FileOverview& overview, Console& console) {
    const TraceSummary& summary = file.summary();
    const bool lost = summary.dropped_unknown_records != 0 || summary.dropped_clock_offsets != 0;
    if (lost) {
        Facts facts(console, "left out on request");
        facts.add_unless_zero("unknown records", summary.dropped_unknown_records);
        facts.add_unless_zero("clock offsets", summary.dropped_clock_offsets);
    }
    if (overview.raw_unknown_request + overview.raw_inexpressible == 0) return;
    Facts facts(console, "records kept verbatim");
    facts.add_unless_zero("unknown request", overview.raw_unknown_request);
    facts.add_unless_zero("not expressible", overview.raw_inexpressible);
}

bool is_mpi(const FileOverview::Region& region) { return !mpi_function_name(region.name).empty(); }

/// What a list leaves out without --all.
void print_more(std::size_t number, Console& console) {
    if (number == 0) return;
    const std::string more = std::to_string(number) + " more; --all lists them";
    console.out() << "  " << console.paint(Style::dim, more) << '\n';
}

void print_regions(const FileOverview& overview, bool mpi, bool all, Console& console) {
    Table table({{""}, {"", kRight}, {"", kRight}, {""}});
    std::size_t shown = 0;
    std::size_t number = 0;
    for (const FileOverview::Region& region : overview.regions) {
        if (is_mpi(region) != mpi) continue;
        ++number;
        if (!all && shown == kMostShown) continue;
        ++shown;
        table.add_row({region.name, format_count(region.calls), std::to_string(region.locations),
                       region.locations == 1 ? "location" : "locations"});
    }
    if (number == 0) return;
    console.out() << console.paint(Style::bold, mpi ? "MPI calls" : "other regions") << '\n';
    table.print(console.out(), kIndent);
    print_more(number - shown, console);
}

void print_records(const FileOverview& overview, bool all, Console& console) {
    std::vector<u8> types;
    for (u8 type = 0; type < kEventTypes; ++type) {
        if (overview.records[type] != 0) types.push_back(type);
    }
    std::stable_sort(types.begin(), types.end(),
                     [&overview](u8 a, u8 b) { return overview.records[a] > overview.records[b]; });
    const std::size_t shown = all ? types.size() : std::min(types.size(), kMostShown);
    Table table({{""}, {"", kRight}});
    for (std::size_t i = 0; i < shown; ++i) {
        table.add_row(
            {std::string(event_info(types[i]).name), format_count(overview.records[types[i]])});
    }
    console.out() << console.paint(Style::bold, "records") << '\n';
    table.print(console.out(), kIndent);
    print_more(types.size() - shown, console);
}

void print_shape(const FileOverview::Shape& shape, Console& console) {
    Facts facts(console, "structure");
    facts.add("scripts", std::to_string(shape.scripts));
    facts.add("symbols", std::to_string(shape.symbols));
    facts.add("loops", std::to_string(shape.loops));
    facts.add("deepest nest", std::to_string(shape.deepest_nest));
    facts.add("longest stretch", std::to_string(shape.longest_stretch) + " items without a loop");
    facts.add("patterns", std::to_string(shape.patterns));
    facts.add("columns", std::to_string(shape.columns));
    facts.add("arguments", fmt::format("{}, {} differ across locations", shape.assignments,
                                       shape.differing_assignments));
}

void print_sizes(const TraceFile& file, const FileOverview& overview, Console& console) {
    console.out() << console.paint(Style::bold, "size") << '\n';
    Table table({{"section"}, {"number", kRight}, {"stored", kRight}, {"content", kRight}});
    for (const FileOverview::Sections& sections : overview.sections) {
        table.add_row({std::string(section_name(sections.kind)), std::to_string(sections.count),
                       format_size(sections.stored_bytes), format_size(sections.content_bytes)});
    }
    table.add_row({"file", "", format_size(overview.file_bytes), ""});
    table.print(console.out(), kIndent);
    const u64 archive = file.summary().archive_bytes;
    console.out() << "  archive: " << format_size(archive);
    if (overview.file_bytes != 0) {
        const double ratio =
            static_cast<double>(archive) / static_cast<double>(overview.file_bytes);
        console.out() << fmt::format(", {:.1f} times the file", ratio);
    }
    console.out() << '\n';
    if (tick_bytes(overview) != 0 && overview.events != 0) {
        const double bits =
            8 * static_cast<double>(tick_bytes(overview)) / static_cast<double>(overview.events);
        console.out() << fmt::format("  ticks: {:.2f} bits per event\n", bits);
    }
}

void print_columns(const std::vector<ColumnCost>& columns, u64 file_bytes, bool all,
                   Console& console) {
    if (columns.empty()) return;
    console.out() << console.paint(Style::bold, "columns") << '\n';
    Table table({{"section"},
                 {"what"},
                 {"form"},
                 {"numbers", kRight},
                 {"content", kRight},
                 {"stored", kRight},
                 {"of the file", kRight}});
    const std::size_t shown = all ? columns.size() : std::min(columns.size(), kMostColumns);
    for (std::size_t i = 0; i < shown; ++i) {
        const ColumnCost& column = columns[i];
        table.add_row({std::string(section_name(column.section)), column.where, column.form,
                       format_count(column.numbers), format_size(column.content_bytes),
                       format_size(static_cast<u64>(std::llround(column.stored_bytes))),
                       format_percent(column.stored_bytes / static_cast<double>(file_bytes))});
    }
    table.print(console.out(), kIndent);
    print_more(columns.size() - shown, console);
}

void print_files(const FileOverview& overview, Console& console) {
    if (overview.files.empty()) return;
    Facts facts(console, "files carried along");
    for (const FileOverview::File& file : overview.files) {
        facts.add(file.path, format_size(file.bytes));
    }
}

}  // namespace

void print_info(FoldedInput& input, const InfoFigures& figures, bool all, Console& console) {
    const TraceFile& file = input.file();
    const FileOverview& overview = figures.overview;
    const std::string origin = input.was_folded()
                                   ? "OTF2 archive, folded by " + file.summary().producer
                                   : "written by " + file.summary().producer;
    const std::string title = file.container().path() + ": " + origin + ", timing " +
                              std::string(timing_name(file.summary().timing)) +
                              (file.container().is_portable() ? ", portable" : "");
    console.out() << printable(title) << '\n';
    print_archive(file, console);
    print_trace(file, overview, figures.gaps, console);
    print_gaps(figures.gaps, GapScope::mpi, console);
    print_losses(file.summary().losses, all, console);
    if (!figures.nesting.empty()) {
        console.out() << console.paint(Style::bold, "regions that do not nest") << '\n';
        print_nesting(figures.nesting, console);
    }
    print_regions(overview, true, all, console);
    print_regions(overview, false, all, console);
    print_records(overview, all, console);
    print_what_is_left_out(file, overview, console);
    print_shape(overview.shape, console);
    print_files(overview, console);
    print_sizes(file, overview, console);
    print_columns(figures.columns, overview.file_bytes, all, console);
}

}  // namespace tracefold
