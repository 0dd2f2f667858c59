// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "convert/conversion.hpp"

#include "archives/input_kind.hpp"
#include "base/communicator.hpp"
#include "base/temporary.hpp"
#include "common/console.hpp"
#include "common/output_format.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"

#include <filesystem>

#include <fmt/core.h>

namespace tracefold {

void warn_about_dropped_records(FoldedInput& input, Console& console) {
    const u64 dropped = input.file().summary().dropped_unknown_records;
    if (dropped == 0 || input.was_folded()) return;
    console.warning(fmt::format(
        "the archive had {} unknown to OTF2, which the output lacks (--drop-unknown)",
        dropped == 1 ? "1 record of a type" : fmt::format("{} records of types", dropped)));
}

void refuse_input_as_output(const ConvertArguments& arguments, const std::string& output) {
    const std::vector<InputClaim> claims = claim_trace(arguments.input.path);
    refuse_inputs(output);
}

u64 total_events(TraceFile& file, const std::vector<bool>& selected) {
    u64 total = 0;
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (selected[location]) total += file.index().events(location);
    }
    return total;
}

namespace {

/// Rejects options without effect.
void refuse_foreign_settings(const ConvertArguments& arguments) {
    const ConvertTarget& target = *arguments.target;
    for (const CLI::Option* option : arguments.settings) {
        if (option->count() == 0) continue;
        const std::string name = option->get_name();
        if (target.format != nullptr && target.format->takes(name)) continue;
        if (target.kind == ConvertTarget::Kind::otf2 && name == "--no-exact-bytes") continue;
        throw Error(ErrorKind::usage, "{} cannot be used with --to {}", name, target.name);
    }
}

}  // namespace

ExitCode exit_if_lost(bool strict, bool lost) { return strict && lost ? exit_mismatch : exit_ok; }

ExitCode convert_to_target(const ConvertArguments& arguments, Console& console,
                           const CommonOptions& common) {
    switch (arguments.target->kind) {
        case ConvertTarget::Kind::otf2:
            return convert_to_otf2(arguments, console, common);
        case ConvertTarget::Kind::text:
            return convert_to_text(arguments, console, common);
        case ConvertTarget::Kind::tfold:
            throw Error(ErrorKind::usage,
                        "--to tfold needs --anonymize, --sync-clocks or a part of the trace; "
                        "trace_compress folds archives");
        case ConvertTarget::Kind::exporter:
            return convert_to_export(arguments, console, common);
    }
    throw Error(ErrorKind::internal, "the format is unknown");
}

bool prints_lines(const ConvertArguments& arguments) {
    if (arguments.dry_run) return true;
    const bool text =
        arguments.target != nullptr && arguments.target->kind == ConvertTarget::Kind::text;
    return text && (arguments.output.empty() || arguments.output == "-");
}

ExitCode run_convert(ConvertArguments& arguments, Console& console, const CommonOptions& common) {
    if (arguments.target == nullptr) arguments.target = &target_of_output(arguments.output);
    refuse_foreign_settings(arguments);
    if (arguments.clocks.sync) return convert_synchronised(arguments, console, common);
    if (has_part(arguments)) return convert_part(arguments, console, common);
    return arguments.anonymize ? convert_anonymized(arguments, console, common)
                               : convert_to_target(arguments, console, common);
}

namespace {

using Kind = ConvertTarget::Kind;

CutRequest request_of(ConvertArguments& arguments, TraceFile& file) {
    PartArguments& part = arguments.part;
    const ConvertTarget& target = *arguments.target;
    CutRequest request = part.request(file);
    request.calls = names_of(part.calls, file);
    request.drop = part.drop;
    request.marks_edges = target.format == nullptr;
    request.closed = part.closed || (target.format != nullptr && target.format->needs_partners);
    return request;
}

/// Whether the file stores times other than the recorded ones.
bool has_other_times(const TraceFile& file) {
    const TimingLevel timing = file.summary().timing;
    return timing != TimingLevel::exact && timing != TimingLevel::none;
}

}  // namespace

bool has_part(const ConvertArguments& arguments) {
    for (const CLI::Option* option : arguments.part.options) {
        // Text output of selected ranks needs no cut.
        const bool alone = arguments.target->kind == Kind::text && option->get_name() == "--ranks";
        if (option->count() != 0 && !alone) return true;
    }
    return false;
}

ExitCode convert_part(ConvertArguments& arguments, Console& console, const CommonOptions& common) {
    const Kind kind = arguments.target->kind;
    if (arguments.output.empty() && kind != Kind::text && !arguments.dry_run) {
        throw Error(ErrorKind::usage, "a part of a trace needs an output: -o");
    }
    refuse_input_as_output(arguments, arguments.output);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    TraceFile& file = input->file();
    const CutRequest request = request_of(arguments, file);
    CutReport report;
    ExitCode code = exit_ok;
    if (kind == Kind::tfold && !arguments.anonymize) {
        report = write_part(file, request, {arguments.output, 19, common.force, {}}, console);
        report_conversion(arguments, arguments.output,
                          arguments.output + ": part of a trace, " + format_size(report.file_bytes),
                          console, [&report](JsonWriter& json) {
                              json.member("bytes", report.file_bytes);
                              add_part(json, &report);
                          });
    } else {
        SerialCommunicator process;
        const ScratchFolder scratch(process, scratch_directory());
        ConvertArguments whole = arguments;
        whole.input = arguments.input.made((scratch.path() / "part.tfold").string());
        report = write_part(file, request, {whole.input.path, 1, false, {}}, console);
        whole.part.report = &report;
        code = arguments.anonymize ? convert_anonymized(whole, console, common)
                                   : convert_to_target(whole, console, common);
    }
    if (!console.json()) report_part(report, console);
    warn_about_part(report, console);
    const bool other_times = kind == Kind::otf2 && has_other_times(file);
    if (other_times) warn_about_times(file, console);
    if (code != exit_ok) return code;
    return exit_if_lost(arguments.strict, report.has_losses() || other_times);
}

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

std::string default_output(const ConvertArguments& arguments, std::string_view suffix) {
    std::filesystem::path input = std::filesystem::path(arguments.input.path).lexically_normal();
    if (!input.has_filename()) input = input.parent_path();
    if (!std::filesystem::is_directory(input)) input.replace_extension();
    return input.filename().string() + std::string(suffix);
}

void report_conversion(const ConvertArguments& arguments, const std::string& output,
                       const std::string& summary, Console& console,
                       const std::function<void(JsonWriter& json)>& members) {
    if (!console.json()) {
        const char* const where = arguments.output.empty() ? " in the current folder" : "";
        console.summary(output + where + summary.substr(output.size()));
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
    say("without a partner in the part",
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
        console.warning("the part is the whole trace");
    }
    warn_about_dropped_files(report.dropped_files, console);
}

void warn_about_dropped_files(const std::vector<std::string>& paths, Console& console) {
    if (paths.empty()) return;
    console.warning(std::to_string(paths.size()) +
                    " files that came with the archive are left out");
}

}  // namespace tracefold
