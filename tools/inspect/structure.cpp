// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/structure.hpp"

#include "common/json_document.hpp"
#include "common/rank_list.hpp"
#include "common/select_locations.hpp"
#include "inspect/command.hpp"
#include "inspect/findings.hpp"
#include "pipeline/listing_source.hpp"

#include <memory>
#include <optional>

namespace tracefold {

namespace {

struct StructureArguments {
    std::string file;
    RankList ranks;
    ListingLimits limits;
    bool times = false;
};

/// Nothing if the file keeps no times, or if they had to be unwound and nobody asked.
std::optional<CallTimes> times_of(TraceFile& file, bool wanted) {
    const TimingLevel level = file.summary().timing;
    if (level == TimingLevel::histogram) return kept_call_times(file);
    if (!wanted) return std::nullopt;
    if (!keeps_every_time(level)) {
        throw Error(ErrorKind::usage, "--times needs a file with times; this one keeps none");
    }
    return unwound_call_times(file);
}

/// One run of the command.
class StructureCommand {
  public:
    StructureCommand(const StructureArguments& arguments, TraceFile& file, Console& console)
        : arguments_(arguments),
          file_(file),
          console_(console),
          names_(file.definitions()),
          selected_(select_locations(arguments.ranks, names_, file.location_count())),
          source_(file),
          times_(times_of(file, arguments.times)) {}

    void print() {
        if (finds()) print_findings(find_out(), names_, console_);
        for_each_script(source_, selected_, [this](const ListedScript& script) {
            print_script(script, names_, lines(script), arguments_.limits, console_);
        });
    }

    void print_json() {
        JsonWriter json(console_.out(), console_.json_layout());
        begin_document(json, "structure").member("file", arguments_.file);
        if (finds()) {
            json.key("findings");
            write_findings(find_out(), names_, json);
        }
        const auto rate = static_cast<double>(file_.definitions().timer_resolution());
        json.key("scripts").begin_array();
        for_each_script(source_, selected_, [&](const ListedScript& script) {
            write_script(script, names_, lines(script), rate, json);
        });
        json.end_array().end_object();
    }

  private:
    /// Findings are about the whole program.
    [[nodiscard]] bool finds() const { return arguments_.ranks.selects_all(); }
    Findings find_out() { return tracefold::find_out(file_, source_, times_ ? &*times_ : nullptr); }
    std::optional<LineTimes> lines(const ListedScript& script) {
        if (!times_) return std::nullopt;
        return line_times(script, *times_, source_.counts());
    }

    const StructureArguments& arguments_;
    TraceFile& file_;
    Console& console_;
    ParticipantNames names_;
    std::vector<bool> selected_;
    ListingSource source_;
    std::optional<CallTimes> times_;
};

ExitCode run_structure(const StructureArguments& arguments, Console& console) {
    TraceFile file(arguments.file);
    naming_file(arguments.file, [&] {
        StructureCommand command(arguments, file, console);
        if (console.json()) {
            command.print_json();
        } else {
            command.print();
        }
    });
    return exit_ok;
}

}  // namespace

void for_each_script(ListingSource& source, const std::vector<bool>& selected,
                     const std::function<void(const ListedScript&)>& sink) {
    const std::vector<Script>& scripts = source.structure().scripts;
    for (u32 script = 0; script < scripts.size(); ++script) {
        if (scripts[script].stream != Stream::events) continue;
        ParticipantList participants;
        for (const u32 location : source.counts().members_of_script(script)) {
            if (selected[location]) participants.add(location);
        }
        if (!participants.empty()) sink(list_script(source, script, participants));
    }
}

InspectCommand add_structure_command(CLI::App& app) {
    auto arguments = std::make_shared<StructureArguments>();
    CLI::App* structure = app.add_subcommand(
        "structure", "The program as nested loops of calls with their arguments");
    add_file_argument(*structure, arguments->file);
    add_ranks_option(*structure, arguments->ranks);
    structure->add_option("--depth", arguments->limits.depth, "Most levels to show; 0: all")
        ->type_name("N");
    structure
        ->add_option("--width", arguments->limits.width, "Most items of one body to show; 0: all")
        ->type_name("N");
    structure->add_flag("--times", arguments->times,
                        "Share of the time per line, read from the times of all records");
    return {structure,
            alone([arguments](Console& console) { return run_structure(*arguments, console); })};
}

}  // namespace tracefold
