// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/guard.hpp"

#include "common/trace_input.hpp"
#include "scale/baseline_folder.hpp"
#include "scale/command.hpp"
#include "scale/guard_reports.hpp"
#include "scale/runs.hpp"

#include <memory>
#include <string>
#include <vector>

namespace tracefold {

namespace {

struct GuardArguments {
    std::vector<std::string> baselines;
    std::vector<std::string> runs;
    bool drop_unknown = false;
    std::string folder;
    std::size_t keep = 20;
    bool update = false;
    GuardRules rules;
    std::string junit;
    std::string code_quality;
    std::string markdown;
};

/// The runs to compare: without "--", those of the command line are new if a folder has baselines.
GuardArguments resolved(GuardArguments arguments, const std::vector<std::string>& in_folder) {
    if (arguments.runs.empty() && !arguments.folder.empty())
        std::swap(arguments.runs, arguments.baselines);
    if (arguments.runs.empty())
        throw Error(ErrorKind::usage, "give the new runs after --, as in old.tfold -- new.tfold");
    if (arguments.folder.empty() && arguments.update)
        throw Error(ErrorKind::usage, "--update needs the folder of baselines (--baseline)");
    arguments.baselines.insert(arguments.baselines.begin(), in_folder.begin(), in_folder.end());
    if (arguments.baselines.empty() && !arguments.update) {
        throw Error(ErrorKind::unsupported,
                    arguments.folder.empty()
                        ? "there are no baselines: give runs before --"
                        : arguments.folder + " has no baselines; --update adds these runs");
    }
    return arguments;
}

/// Returns the open runs, which no report replaces.
std::vector<std::unique_ptr<FoldedInput>> read_runs(const GuardArguments& arguments, Guard& guard,
                                                    Console& console) {
    std::vector<TraceInput> traces;
    for (const std::vector<std::string>* paths : {&arguments.baselines, &arguments.runs}) {
        for (const std::string& path : *paths) traces.push_back({path, arguments.drop_unknown});
    }
    auto inputs = open_all(traces, console);
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        if (i < arguments.baselines.size()) {
            guard.add_baseline(inputs[i]->file(), traces[i].path);
            continue;
        }
        if (arguments.update && inputs[i]->was_folded()) {
            throw Error(ErrorKind::unsupported,
                        "{} is an archive; fold it with trace_compress to make it a baseline",
                        traces[i].path);
        }
        guard.add_run(inputs[i]->file(), traces[i].path);
    }
    return inputs;
}

void warn(const GuardView& view, Console& console) {
    const GuardResult& result = view.result;
    if (result.verdict == GuardVerdict::undecided && !result.baselines.empty())
        console.warning(guard_summary(view) + "; more runs would show smaller changes");
    if (result.verdict == GuardVerdict::slower && result.runs.size() == 1)
        console.warning("a single run that was disturbed looks like a slower one; compare three");
    if (result.baselines.size() == 1)
        console.warning("one baseline does not show which numbers differ from run to run");
    if (result.timing == TimingLevel::none)
        console.warning("the runs have no times: only their structure is compared");
}

ExitCode run_guard(const GuardArguments& given, Console& console, const CommonOptions& common) {
    std::vector<std::string> in_folder;
    if (!given.folder.empty()) in_folder = baselines_in(given.folder, given.update);
    const GuardArguments arguments = resolved(given, in_folder);
    Guard guard;
    auto inputs = read_runs(arguments, guard, console);
    GuardView view = judged(guard, arguments.rules);
    const auto report = [&](const std::string& path, const std::string& text) {
        if (!path.empty()) write_file(path, text, common.force);
    };
    report(arguments.junit, guard_junit(view));
    report(arguments.code_quality, guard_code_quality(view));
    report(arguments.markdown, guard_markdown(view));
    inputs.clear();  // before any is removed
    if (arguments.update && view.passed)
        view.update = update_baselines(given.folder, in_folder, arguments.runs, arguments.keep);
    (console.json() ? print_guard_json : print_guard_text)(view, console);
    warn(view, console);
    return view.passed ? exit_ok : exit_mismatch;
}

}  // namespace

ScaleCommand add_guard_command(CLI::App& app) {
    auto arguments = std::make_shared<GuardArguments>();
    CLI::App* command = app.add_subcommand(
        "guard", "Compare new runs with baselines, as a gate for continuous integration");
    command
        ->add_option("BASELINES", arguments->baselines,
                     "Earlier runs, oldest first: folded files, or OTF2 archives (anchor file or "
                     "folder)")
        ->default_str("")
        ->type_name("FILE");
    command->add_option("--new", arguments->runs, "New runs, as after --")
        ->default_str("")
        ->type_name("FILE");
    add_drop_unknown_option(*command, arguments->drop_unknown);
    command->add_option("--baseline", arguments->folder, "Folder of baselines")
        ->type_name("FOLDER");
    command->add_flag("--update", arguments->update, "Add the new runs to the folder if they pass");
    command
        ->add_option("--keep", arguments->keep, "Files in the folder; --update removes older ones")
        ->check(CLI::Range(1, 100000))
        ->type_name("N");
    command
        ->add_option("--min-effect", arguments->rules.least_effect,
                     "Relative change of a time below which it does not count")
        ->check(CLI::Range(0.0, 1.0))
        ->type_name("R");
    command
        ->add_option_function<std::vector<std::string>>(
            "--allow",
            [target = arguments.get()](const std::vector<std::string>& texts) {
                for (const std::string& text : texts) target->rules.allow(text);
            },
            "Differences in structure to accept, of call paths that match: calls, counts, bytes, "
            "peers or order, as in counts:*/solve/*")
        ->type_name("KIND[:PATH]")
        ->take_all()
        ->allow_extra_args(false);
    command->add_flag("--strict", arguments->rules.strict, "Undecided times do not pass");
    command->add_option("--junit", arguments->junit, "Write the verdicts as JUnit XML")
        ->type_name("FILE");
    command
        ->add_option("--code-quality", arguments->code_quality,
                     "Write the failures as GitLab's code quality report")
        ->type_name("FILE");
    command->add_option("--markdown", arguments->markdown, "Write a summary in Markdown")
        ->type_name("FILE");
    return {command, [arguments](Console& console, const CommonOptions& common) {
                return run_guard(*arguments, console, common);
            }};
}

}  // namespace tracefold
