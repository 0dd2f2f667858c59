// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/tick_window.hpp"
#include "archives/scratch_folder.hpp"
#include "comm/serial.hpp"
#include "common/environment.hpp"
#include "common/progress.hpp"
#include "common/select_locations.hpp"
#include "common/units.hpp"
#include "convert/conversion.hpp"

namespace tracefold {

namespace {

using Kind = ConvertTarget::Kind;

/// The options as they were given.
std::string text_of(const PartArguments& part) {
    std::string text;
    for (const CLI::Option* option : part.options) {
        if (option->count() == 0) continue;
        if (!text.empty()) text += ' ';
        text += option->get_name();
        if (option->get_items_expected_max() == 0) continue;
        std::string separator = " ";
        for (const std::string& value : option->results()) {
            text += separator + value;
            separator = ",";
        }
    }
    return text;
}

CutRequest::Names names_of(NameFilter& names) {
    if (names.empty()) return nullptr;
    return [&names](std::string_view name) { return names.matches(name); };
}

CutRequest request_of(ConvertArguments& arguments, TraceFile& file) {
    PartArguments& part = arguments.part;
    const ConvertTarget& target = *arguments.target;
    CutRequest request;
    request.text = text_of(part);
    const TimeWindow window =
        part.window.has_shares() ? part.window.of_run(run_seconds(file)) : part.window;
    request.from = window.from;
    request.to = window.to;
    if (!part.ranks.selects_all()) {
        request.locations = select_locations(part.ranks, ParticipantNames(file.definitions()),
                                             file.location_count());
    }
    if (!part.iterations.selects_all()) {
        request.iterations = [&part](u64 iteration) { return part.iterations.contains(iteration); };
    }
    request.regions = names_of(part.regions);
    request.calls = names_of(part.calls);
    request.drop = part.drop;
    request.closed = part.closed || (target.format != nullptr && target.format->needs_partners);
    return request;
}

CutReport write_part(TraceFile& file, const CutRequest& request, CutOutput output,
                     Console& console) {
    const std::vector<bool> all(file.location_count(), true);
    Progress progress(console, "cutting", total_events(file, all), "events");
    output.progress = [&progress](u64 records) { progress.advance(records); };
    return cut_trace(file, request, output);
}

/// What the part cannot know any more.
bool has_other_times(const TraceFile& file) {
    const TimingLevel timing = file.summary().timing;
    return timing != TimingLevel::exact && timing != TimingLevel::none;
}

}  // namespace

bool has_part(const ConvertArguments& arguments) {
    for (const CLI::Option* option : arguments.part.options) {
        // Text of some ranks needs no detour.
        const bool alone = arguments.target->kind == Kind::text && option->get_name() == "--ranks";
        if (option->count() != 0 && !alone) return true;
    }
    return false;
}

ExitCode convert_part(ConvertArguments& arguments, Console& console, const CommonOptions& common) {
    const Kind kind = arguments.target->kind;
    if (arguments.output.empty() && kind != Kind::text && !arguments.dry_run) {
        throw Error(ErrorKind::usage, "a part of a trace needs a place for the output: -o");
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

}  // namespace tracefold
