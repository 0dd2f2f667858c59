// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/node_clocks.hpp"
#include "common/environment.hpp"
#include "common/progress.hpp"
#include "common/select_locations.hpp"
#include "common/units.hpp"
#include "convert/conversion.hpp"
#include "io/file.hpp"
#include "listing/call_text.hpp"

#include <functional>

namespace tracefold {

namespace {

using Sink = std::function<void(std::string_view)>;

/// Returns the number of lines.
u64 write_text(TraceFile& file, const ConvertArguments& arguments, const std::string& scratch,
               const Sink& sink, Console& console) {
    const ParticipantNames names(file.definitions());
    const std::vector<bool> selected =
        select_locations(arguments.part.ranks, names, file.location_count());
    Progress progress(console, "writing", total_events(file, selected), "events");
    return write_call_text(file, names, common_clock(file), selected,
                           {sink, scratch, arguments.input.threads},
                           [&progress](u64 records) { progress.advance(records); });
}

}  // namespace

ExitCode convert_to_text(const ConvertArguments& arguments, Console& console,
                         const CommonOptions& common) {
    const bool to_stdout = prints_lines(arguments);
    if (to_stdout && console.json()) {
        throw Error(ErrorKind::usage,
                    "--json and the text cannot both go to standard output; give the text a file "
                    "with -o");
    }
    if (!to_stdout) refuse_input_as_output(arguments, arguments.output);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    TraceFile& file = input->file();
    if (to_stdout) {
        write_text(
            file, arguments, scratch_directory(),
            [&console](std::string_view text) { console.out() << text; }, console);
        warn_about_dropped_records(*input, console);
        return exit_if_lost(arguments.strict, file.summary().dropped_unknown_records != 0);
    }
    AtomicFile out(arguments.output, common.force);
    const u64 lines = write_text(
        file, arguments, out.temporary_path().parent_path().string(),
        [&out](std::string_view text) { out.write(text); }, console);
    out.commit();
    warn_about_dropped_records(*input, console);
    report_conversion(
        arguments, arguments.output,
        arguments.output + ": text, " + format_count(lines) + " lines, " + format_size(out.size()),
        console,
        [&](JsonWriter& json) { json.member("lines", lines).member("bytes", out.size()); });
    return exit_if_lost(arguments.strict, file.summary().dropped_unknown_records != 0);
}

}  // namespace tracefold
