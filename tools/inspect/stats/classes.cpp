// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/stats/classes.hpp"

#include "common/output_format.hpp"
#include "common/select_locations.hpp"
#include "inspect/command.hpp"
#include "inspect/empty_result.hpp"
#include "inspect/stats/histogram_options.hpp"
#include "inspect/world_input.hpp"
#include "stats/over_threads.hpp"

#include <algorithm>
#include <memory>

namespace tracefold {

namespace {

constexpr u32 kMostClassColumns = 1000;
constexpr std::string_view kRegions = "regions";

struct ClassesArguments {
    WorldInput input;
    RankList ranks;
    SignatureKind kind = SignatureKind::calls;
    std::string by = "calls";
    NameFilter regions;
    NameFilter names;
    std::vector<std::string> patterns;  ///< of names
    std::vector<std::string> histogram;
    HistogramOptions options;
    bool per_iteration = false;
    OutputFormat format;
};

/// "script", "regions", "regions=solve*".
void parse_by(const std::string& text, ClassesArguments& arguments) {
    arguments.by = text;
    if (text.rfind(std::string(kRegions) + "=", 0) == 0) {
        arguments.kind = SignatureKind::regions;
        arguments.regions.add(text.substr(kRegions.size() + 1));
        return;
    }
    for (const SignatureKind kind :
         {SignatureKind::events, SignatureKind::calls, SignatureKind::script,
          SignatureKind::arguments, SignatureKind::regions}) {
        if (signature_name(kind) != text) continue;
        arguments.kind = kind;
        return;
    }
    throw UnknownWord(text, {"events", "calls", "script", "arguments", "regions[=PATTERN]"});
}

/// Of all MPI calls, or those that are wanted.
SampleRequest sample_request(const ClassesArguments& arguments, const std::string& what,
                             const std::vector<bool>& selected) {
    SampleRequest request;
    request.selected = selected;
    request.loop = arguments.options.loop;
    request.rows.together = what;
    request.rows.only_mpi = arguments.patterns.empty();
    request.rows.matches = matching(arguments.names);
    return request;
}

ClassRequest class_request(const ClassesArguments& arguments, const std::vector<bool>& selected) {
    ClassRequest request;
    request.signature.kind = arguments.kind;
    request.signature.matches = matching(arguments.regions);
    request.selected = selected;
    request.columns = arguments.per_iteration ? kMostClassColumns : 0;
    request.loop = arguments.options.loop;
    return request;
}

/// Complete on process 0. Filters remember their answers, so that each thread has its own.
ClassesView make_view(const ClassesArguments& arguments, TraceFile& file, Communicator& comm,
                      FoundSteps& steps) {
    const ParticipantNames names(file.definitions());
    std::vector<bool> selected;
    if (!arguments.ranks.selects_all()) {
        selected = select_locations(arguments.ranks, names, file.location_count());
    }
    const int fanout = arguments.input.fanout;
    const std::string what = arguments.patterns.empty() ? "MPI calls" : joined(arguments.patterns);
    SampleRequest samples = sample_request(arguments, what, selected);
    samples.steps = &steps;
    ClassRequest request = class_request(arguments, selected);
    request.steps = &steps;
    ClassesView view;
    static_cast<ClassFigures&>(view) = collect_figures(comm, file, request, samples, fanout);
    view.file = arguments.input.path;
    view.by = arguments.by;
    view.what = what;
    if (!arguments.histogram.empty()) {
        DistributionRequest distribution = arguments.options.request(file);
        samples.iterations = distribution.over == Over::iterations;
        keep_apart(view.classes, file.location_count(), samples.rows);
        distribution.samples = std::move(samples);
        view.distribution = collect_distribution(comm, file, distribution, fanout);
    }
    return view;
}

void write_classes_svg(const ClassesView& view, std::ostream& out) {
    write_distribution_svg(*view.distribution, {view.file, view.what}, out);
}

void check(const ClassesArguments& arguments, const Console& console) {
    arguments.format.check(console);
    const auto refuse = [](const std::string& what) { throw Error(ErrorKind::usage, what); };
    const bool histogram = !arguments.histogram.empty();
    if (!histogram && arguments.format.svg) refuse("--svg goes with --histogram only");
    if (histogram && arguments.format.csv && arguments.per_iteration) {
        refuse("--csv is of a histogram or of iterations, not of both");
    }
}

ExitCode run_classes(ClassesArguments& arguments, Console& console, Communicator& comm) {
    check(arguments, console);
    arguments.patterns.insert(arguments.patterns.end(), arguments.histogram.begin(),
                              arguments.histogram.end());
    for (const std::string& pattern : arguments.patterns) arguments.names.add(pattern);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    naming_file(arguments.input.path, [&] {
        warn_if_nothing_matches(arguments.names, input->file(), console);
        TraceFile& file = input->file();
        FoundSteps steps(file, StepLevels::one, arguments.input.threads_of(comm));
        const ClassesView view = over_threads(
            comm, file, arguments.input.threads,
            [&](Communicator& team) { return make_view(arguments, file, team, steps); });
        if (comm.rank() != 0) return;
        arguments.format.show(view, console, write_classes_json, write_classes_csv,
                              write_classes_svg, print_classes);
    });
    return exit_ok;
}

}  // namespace

InspectCommand add_classes_command(CLI::App& app) {
    auto arguments = std::make_shared<ClassesArguments>();
    CLI::App* classes =
        app.add_subcommand("classes", "Which ranks are alike, and statistics of those that are");
    arguments->input.add_options(*classes);
    arguments->input.add_threads(*classes, "read locations");
    classes
        ->add_option_function<std::string>(
            "--by", [arguments](const std::string& text) { parse_by(text, *arguments); },
            "What makes ranks alike")
        ->type_name("events|calls|script|arguments|regions[=PATTERN]")
        ->default_str("calls");
    classes
        ->add_option("--match", arguments->patterns,
                     "Statistics of calls of this name only (default: those of MPI); may be "
                     "repeated")
        ->type_name("PATTERN")
        ->take_all();
    add_histogram_option(*classes, arguments->histogram);
    arguments->options.add_options(*classes);
    classes->add_flag("--per-iteration", arguments->per_iteration,
                      "How many classes every iteration has, and who changes class");
    add_ranks_option(*classes, arguments->ranks);
    arguments->format.add_options(*classes, true);
    return {classes, [arguments](Console& console, Communicator& comm) {
                return run_classes(*arguments, console, comm);
            }};
}

}  // namespace tracefold
