// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/info/info.hpp"

#include "common/losses.hpp"
#include "common/output_format.hpp"
#include "common/table.hpp"
#include "common/text.hpp"
#include "file/program_names.hpp"
#include "inspect/command.hpp"
#include "inspect/profile/efficiency.hpp"
#include "model/definition_names.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/mpi_function.hpp"
#include "mpi/program_steps.hpp"

#include <algorithm>
#include <cmath>
#include <memory>

#include <fmt/core.h>

namespace tracefold {

namespace {

struct InfoArguments {
    TraceInput input;
    bool all = false;
    bool columns = false;
};

ExitCode run_info(const InfoArguments& arguments, Console& console) {
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    InfoFigures figures{file_overview(input->file()),
                        {},
                        recording_gaps(input->file()),
                        input->file().nesting().counts()};
    if (arguments.columns) figures.columns = column_costs(input->file());
    if (console.json()) {
        print_info_json(*input, figures, console);
    } else {
        print_info(*input, figures, arguments.all, console);
    }
    return exit_ok;
}

}  // namespace

InspectCommand add_info_command(CLI::App& app) {
    auto arguments = std::make_shared<InfoArguments>();
    arguments->input.level = TraceInput::kThorough;
    CLI::App* info =
        app.add_subcommand("info", "Summary: program, ranks, duration, steps, efficiency, size");
    arguments->input.add_options(*info);
    info->add_flag(
        "--all", arguments->all,
        "Also show the archive, all functions and types of records, and the parts of the file");
    info->add_flag("--columns", arguments->columns,
                   "Also show the bytes of definitions and structure by argument");
    return {info,
            on_rank_zero([arguments](Console& console) { return run_info(*arguments, console); }),
            &arguments->input};
}

u64 tick_bytes(const FileOverview& overview) {
    u64 bytes = 0;
    for (const FileOverview::Sections& sections : overview.sections) {
        if (sections.kind == SectionKind::ticks) bytes += sections.stored_bytes;
    }
    return bytes;
}

namespace {

double ratio(u64 a, u64 b) { return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b); }

void write_restoration(const TraceFile& file, JsonWriter& json) {
    const Section* const kept = file.container().find(SectionKind::kept_bytes);
    json.member("exact_bytes", file.summary().exact_bytes)
        .member("kept_bytes", kept == nullptr ? 0 : kept->stored_size)
        .member("kept_files", kept == nullptr ? u64{0} : u64{file.kept_bytes()->files().size()});
}

void write_archive(const ArchiveInfo& archive, JsonWriter& json) {
    json.key("archive").begin_object();
    json.member("name", archive.name)
        .member("otf2_version", archive.version_text())
        .member("creator", archive.creator)
        .member("machine", archive.machine_name)
        .member("description", archive.description);
    json.key("properties").begin_object();
    for (const auto& [name, value] : archive.properties) json.member(name, value);
    json.end_object().end_object();
}

void write_by_type(const std::map<u64, u64>& numbers, Enumeration types, JsonWriter& json) {
    json.begin_object();
    for (const auto& [type, number] : numbers) json.member(enumerator_name(types, type), number);
    json.end_object();
}

void write_clock(const FileOverview& overview, JsonWriter& json) {
    json.key("clock").begin_object();
    json.member("ticks_per_second", overview.timer_resolution)
        .member("offset_ticks", overview.clock_offset)
        .member("length_ticks", overview.trace_length)
        .member("seconds", TickRate(overview.timer_resolution).seconds(overview.trace_length))
        .end_object();
}

void write_calls(const FileOverview& overview, JsonWriter& json) {
    write_objects("calls", overview.regions, json, [&](const FileOverview::Region& region) {
        json.member("name", region.name)
            .member("calls", region.calls)
            .member("locations", region.locations);
    });
}

/// Writes records or definitions by type name; `info` describes a type.
template <class Info>
void write_records(std::string_view key, const std::vector<u64>& numbers, const Info& info,
                   JsonWriter& json) {
    json.key(key).begin_object();
    for (std::size_t type = 0; type < numbers.size(); ++type) {
        if (numbers[type] != 0) json.member(info(static_cast<u8>(type)).name, numbers[type]);
    }
    json.end_object();
}

void write_shape(const FileOverview::Shape& shape, JsonWriter& json) {
    json.key("structure").begin_object();
    json.member("scripts", shape.scripts)
        .member("symbols", shape.symbols)
        .member("loops", shape.loops)
        .member("deepest_nest", shape.deepest_nest)
        .member("longest_stretch", shape.longest_stretch)
        .member("patterns", shape.patterns)
        .member("columns", shape.columns)
        .member("assignments", shape.assignments)
        .member("differing_assignments", shape.differing_assignments)
        .end_object();
}

void write_what_is_left_out(const TraceFile& file, const FileOverview& overview, JsonWriter& json) {
    json.key("raw_records").begin_object();
    json.member("unknown_request", overview.raw_unknown_request)
        .member("inexpressible", overview.raw_inexpressible)
        .end_object();
    json.key("dropped").begin_object();
    json.member("unknown_records", file.summary().dropped_unknown_records)
        .member("clock_offsets", file.summary().dropped_clock_offsets)
        .end_object();
    write_losses(file.summary().losses, json);
}

void write_sizes(const TraceFile& file, const FileOverview& overview, JsonWriter& json) {
    const u64 archive_bytes = file.summary().archive_bytes;
    json.member("file_bytes", overview.file_bytes)
        .member("archive_bytes", archive_bytes)
        .member("ratio", ratio(archive_bytes, overview.file_bytes))
        .member("tick_bytes", tick_bytes(overview))
        .member("tick_bits_per_event", 8 * ratio(tick_bytes(overview), overview.events));
    write_objects("sections", overview.sections, json, [&](const FileOverview::Sections& sections) {
        json.member("name", section_name(sections.kind))
            .member("count", sections.count)
            .member("bytes", sections.stored_bytes)
            .member("content_bytes", sections.content_bytes);
    });
    write_objects("files", overview.files, json, [&](const FileOverview::File& carried) {
        json.member("path", carried.path).member("bytes", carried.bytes);
    });
}

void write_columns(const std::vector<ColumnCost>& columns, JsonWriter& json) {
    if (columns.empty()) return;
    write_objects("columns", columns, json, [&](const ColumnCost& column) {
        json.member("section", section_name(column.section))
            .member("what", column.where)
            .member("form", column.form)
            .member("numbers", column.numbers)
            .member("content_bytes", column.content_bytes)
            .member("bytes", column.stored_bytes);
    });
}

}  // namespace

void print_info_json(FoldedInput& input, const InfoFigures& figures, Console& console) {
    const TraceFile& file = input.file();
    const FileOverview& overview = figures.overview;
    JsonWriter json = begin_document(console, "info");
    json.member("file", file.container().path())
        .member("input", input.was_folded() ? "archive" : "folded")
        .member("producer", file.summary().producer)
        .member("timing", timing_name(file.summary().timing));
    if (file.summary().timing == TimingLevel::quantized) {
        json.member("time_error", 1e-6 * file.summary().time_error_ppm);
    }
    if (file.container().is_portable()) json.member("portable", true);
    write_archive(file.archive(), json);
    json.member("ranks", overview.ranks)
        .member("processes", figures.gaps.processes)
        .member("process_kind", process_word(figures.gaps.kind))
        .member("locations", file.location_count())
        .member("events", overview.events)
        .member("local_definitions", overview.local_definitions);
    add_gaps(json, figures.gaps, GapScope::mpi);
    json.key("location_types");
    write_by_type(overview.location_types, Enumeration::location_type, json);
    json.key("location_group_types");
    write_by_type(overview.location_group_types, Enumeration::location_group_type, json);
    write_clock(overview, json);
    write_calls(overview, json);
    write_records(
        "records", overview.records, [](u8 type) { return event_info(type); }, json);
    write_records(
        "definitions", overview.definitions, [](u8 type) { return definition_info(type); }, json);
    write_restoration(file, json);
    write_what_is_left_out(file, overview, json);
    write_nesting(figures.nesting, json);
    write_shape(overview.shape, json);
    write_sizes(file, overview, json);
    write_columns(figures.columns, json);
    json.end_object();
}

namespace {

constexpr std::size_t kIndent = 2;
/// Rows of --columns without --all.
constexpr std::size_t kMostColumns = 20;
/// Steps and efficiency of more events take too long for a summary.
constexpr u64 kMostEvents = 1'000'000;

/// Prints name-value lines under a heading; omits unknown values.
class Facts {
  public:
    Facts(Console& console, const std::string& title)
        : console_(console), table_({{""}, {"", kSentence}}) {
        console_.text() << console_.paint(Style::bold, title) << '\n';
    }
    void add(const std::string& name, const std::string& what) {
        if (!what.empty()) table_.add_row({name, what});
    }
    void add_unless_zero(const std::string& name, u64 number) {
        if (number != 0) table_.add_row({name, std::to_string(number)});
    }
    ~Facts() { table_.print(console_, kIndent); }
    Facts(const Facts&) = delete;
    Facts& operator=(const Facts&) = delete;

  private:
    Console& console_;
    Table table_;
};

/// How --to otf2 restores its files.
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
    facts.add("folded by", file.summary().producer);
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

void print_regions(const FileOverview& overview, bool mpi, Console& console) {
    Table table(
        {{mpi ? "MPI function" : "other region"}, {"calls", kRight}, {"locations", kRight}});
    bool any = false;
    for (const FileOverview::Region& region : overview.regions) {
        if (is_mpi(region) != mpi) continue;
        any = true;
        table.add_row({region.name, format_count(region.calls), std::to_string(region.locations)});
    }
    if (any) table.print(console, kIndent);
}

void print_records(const FileOverview& overview, Console& console) {
    std::vector<u8> types;
    for (u8 type = 0; type < kEventTypes; ++type) {
        if (overview.records[type] != 0) types.push_back(type);
    }
    std::stable_sort(types.begin(), types.end(),
                     [&overview](u8 a, u8 b) { return overview.records[a] > overview.records[b]; });
    Table table({{"record"}, {"number", kRight}});
    for (const u8 type : types) {
        table.add_row({std::string(event_info(type).name), format_count(overview.records[type])});
    }
    if (!types.empty()) table.print(console, kIndent);
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

void print_sizes(const FileOverview& overview, Console& console) {
    Table table({{"section"}, {"number", kRight}, {"stored", kRight}, {"content", kRight}});
    for (const FileOverview::Sections& sections : overview.sections) {
        table.add_row({std::string(section_name(sections.kind)), std::to_string(sections.count),
                       format_size(sections.stored_bytes), format_size(sections.content_bytes)});
    }
    table.add_row({"file", "", format_size(overview.file_bytes), ""});
    table.print(console, kIndent);
    if (tick_bytes(overview) != 0 && overview.events != 0) {
        const double bits =
            8 * static_cast<double>(tick_bytes(overview)) / static_cast<double>(overview.events);
        console.text() << fmt::format("  ticks: {:.2f} bits per event\n", bits);
    }
}

void print_columns(const std::vector<ColumnCost>& columns, u64 file_bytes, bool all,
                   Console& console) {
    if (columns.empty()) return;
    Table table({{"section"},
                 {"column"},
                 {"form", Table::Align::left, 2},
                 {"numbers", kRight, 3},
                 {"content", kRight, 1},
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
    table.print(console, kIndent);
    if (shown == columns.size()) return;
    console.text() << "  " << columns.size() - shown << " more (--all)\n";
}

void print_files(const FileOverview& overview, Console& console) {
    if (overview.files.empty()) return;
    Facts facts(console, "files carried along");
    for (const FileOverview::File& file : overview.files) {
        facts.add(file.path, format_size(file.bytes));
    }
}

/// "parallel 87.1 %, load balance 93.0 %, communication 93.6 %"
std::string efficiency_text(TraceFile& file, u64 events) {
    constexpr std::size_t kMostFactors = 3;
    constexpr std::string_view kEnd = " efficiency";
    if (!keeps_every_time(file.summary().timing)) return {};
    if (events > kMostEvents) return "see trace_inspect efficiency: the trace is large";
    try {
        std::string text;
        std::size_t shown = 0;
        for (const EfficiencyFactor& factor : factors(trace_efficiency(file, WaitSearch::none))) {
            if (!factor.value || ++shown > kMostFactors) continue;
            std::string title = factor_title(factor);
            if (title.ends_with(kEnd)) title.resize(title.size() - kEnd.size());
            text.append(text.empty() ? "" : ", ").append(title).append(" ");
            text += factor_text(factor);
        }
        return text;
    } catch (const Error& error) {
        return std::string("not computed: ") + error.what();
    }
}

std::string steps_text(TraceFile& file, u64 events) {
    if (events > kMostEvents) return "see trace_inspect structure: the trace is large";
    FoundSteps steps(file);
    if (!steps.get()) return "";
    return fmt::format("{} common to all ranks, inferred", steps.get()->count);
}

std::string size_text(const TraceFile& file, const FileOverview& overview) {
    const u64 archive = file.summary().archive_bytes;
    std::string text = format_size(overview.file_bytes);
    if (archive != 0 && overview.file_bytes != 0)
        text += fmt::format("; archive {}, {} times larger", format_size(archive),
                            format_ratio(ratio(archive, overview.file_bytes)));
    if (const u64 ticks = tick_bytes(overview))
        text += fmt::format("; {} times", format_percent(ratio(ticks, overview.file_bytes), 0));
    return text;
}

/// The first problem of the trace, and the number of others.
void print_warnings(const TraceFile& file, const InfoFigures& figures, Console& console) {
    std::vector<std::string> sentences = gap_sentences(figures.gaps, GapScope::mpi);
    if (const std::size_t damaged = file.summary().losses.size())
        sentences.push_back(fmt::format("{} of the archive's files {} damaged when it was rescued",
                                        damaged, damaged == 1 ? "was" : "were"));
    if (!figures.nesting.empty()) sentences.push_back("regions do not nest");
    if (sentences.empty()) return;
    console.text() << "  " << sentences.front();
    if (sentences.size() > 1) console.text() << "; " << sentences.size() - 1 << " more (--all)";
    console.text() << '\n';
}

void print_summary(TraceFile& file, const InfoFigures& figures, Console& console) {
    const FileOverview& overview = figures.overview;
    print_warnings(file, figures, console);
    Table table({{""}, {"", kSentence}});
    const auto add = [&table](const std::string& name, const std::string& what) {
        if (!what.empty()) table.add_row({name, what});
    };
    add("program", program_name(file));
    add("recorder", file.archive().creator);
    add(figures.gaps.kind == ProcessKind::rank ? "ranks" : process_word(figures.gaps.kind, 2),
        fmt::format("{}, with {}", figures.gaps.processes,
                    format_counted(file.location_count(), "location")));
    add("duration", format_time(seconds(overview)));
    add("steps", steps_text(file, overview.events));
    add("events", format_count(overview.events));
    add("efficiency", efficiency_text(file, overview.events));
    add("size", size_text(file, overview));
    table.print(console, kIndent);
}

}  // namespace

void print_info(FoldedInput& input, const InfoFigures& figures, bool all, Console& console) {
    TraceFile& file = input.file();
    const FileOverview& overview = figures.overview;
    console.text() << console.paint(Style::bold, file.container().path()) << "  "
                   << (input.was_folded() ? "OTF2 archive" : "folded") << ", timing "
                   << timing_name(file.summary().timing)
                   << (file.container().is_portable() ? ", portable" : "") << '\n';
    print_summary(file, figures, console);
    if (all) {
        print_archive(file, console);
        print_trace(file, overview, figures.gaps, console);
        print_gaps(figures.gaps, GapScope::mpi, console);
        print_losses(file.summary().losses, all, console);
        if (!figures.nesting.empty()) {
            console.text() << console.paint(Style::bold, "regions that do not nest") << '\n';
            print_nesting(figures.nesting, console);
        }
        print_regions(overview, true, console);
        print_regions(overview, false, console);
        print_records(overview, console);
        print_what_is_left_out(file, overview, console);
        print_shape(overview.shape, console);
        print_files(overview, console);
        print_sizes(overview, console);
    }
    print_columns(figures.columns, overview.file_bytes, all, console);
    if (!all)
        console.text() << console.paint(Style::dim,
                                        "  functions, records, parts of the file: --all")
                       << '\n';
}

}  // namespace tracefold
