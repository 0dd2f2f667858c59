// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/trace_claims.hpp"
#include "convert/conversion.hpp"

#include <fmt/core.h>

namespace tracefold {

void warn_about_dropped_records(FoldedInput& input, Console& console) {
    const u64 dropped = input.file().summary().dropped_unknown_records;
    if (dropped == 0 || input.was_folded()) return;
    console.warning(fmt::format(
        "the archive had {} records of types unknown to OTF2, which the file does not hold",
        dropped));
}

void refuse_input_as_output(const ConvertArguments& arguments, const std::string& output) {
    const std::vector<InputClaim> claims = claim_trace(arguments.input.path);
    refuse_inputs(output);
}

u64 total_events(TraceFile& file, const std::vector<bool>& selected) {
    u64 total = 0;
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (selected[location]) total += file.index().facts(location).events;
    }
    return total;
}

namespace {

/// An option that does nothing is a mistake.
void refuse_foreign_settings(const ConvertArguments& arguments) {
    const ConvertTarget& target = *arguments.target;
    for (const CLI::Option* option : arguments.settings) {
        if (option->count() == 0) continue;
        const std::string name = option->get_name();
        if (target.format != nullptr && target.format->takes(name)) continue;
        if (target.kind == ConvertTarget::Kind::otf2 && name == "--no-exact-bytes") continue;
        throw Error(ErrorKind::usage, "{} does not go with --to {}", name, target.name);
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
                        "--to tfold goes with --anonymize, --sync-clocks or a part of the trace; "
                        "trace_compress folds archives");
        case ConvertTarget::Kind::exporter:
            return convert_to_export(arguments, console, common);
    }
    throw Error(ErrorKind::internal, "an unknown format was chosen");
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

}  // namespace tracefold
