// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/extrapolate.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "common/output_format.hpp"
#include "common/text.hpp"
#include "scale/command.hpp"
#include "scale/models.hpp"
#include "scale/runs.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>

#include <fmt/core.h>

namespace tracefold {

namespace {

/// A documented change of the program: runs of more than `above` ranks behave differently.
struct Regime {
    u32 above = 0;
    std::vector<std::string> paths;  ///< of runs that must be in it
};

struct ExtrapolateArguments {
    RunArguments runs;
    std::vector<Regime> regimes;
    u32 ranks = 0;
    std::vector<u32> grid;                           ///< as given: fastest dimension first
    std::map<u32, std::vector<u32>> training_grids;  ///< by ranks, likewise
    std::string output;
    bool may_approximate = false;
};

/// "16,8,8", "16x8x8"
std::vector<u32> parse_grid(std::string text) {
    std::ranges::replace(text, 'x', ',');
    const auto sizes = parse_numbers<u32>(text);
    if (sizes) return *sizes;
    throw CLI::ValidationError("--grid", text + " is not a list of sizes such as 16,8,8");
}

/// "8=2,2,2"
std::pair<u32, std::vector<u32>> parse_training_grid(const std::string& text) {
    const std::size_t sign = text.find('=');
    const auto ranks = parse_numbers<u32>(text.substr(0, sign));
    if (sign == std::string::npos || !ranks || ranks->size() != 1)
        throw CLI::ValidationError("--training-grid",
                                   text + " is no grid of a run such as 8=2,2,2");
    return {ranks->front(), parse_grid(text.substr(sign + 1))};
}

/// "P>64=128.tfold,256.tfold"; the files may be missing.
Regime parse_regime(const std::string& text) {
    const std::size_t sign = std::min(text.find('='), text.size());
    const auto above = text.starts_with("P>") ? parse_numbers<u32>(text.substr(2, sign - 2))
                                              : std::optional<std::vector<u32>>();
    if (!above || above->size() != 1)
        throw CLI::ValidationError("--regime", text + " is no regime such as P>64=128.tfold");
    Regime regime{above->front(), {}};
    if (sign < text.size()) regime.paths = CLI::detail::split(text.substr(sign + 1), ',');
    return regime;
}

/// The regime of a number of ranks: that of the largest bound below it; none: the smallest runs.
const Regime* regime_of(const std::vector<Regime>& regimes, u32 ranks) {
    const Regime* found = nullptr;
    for (const Regime& regime : regimes) {
        if (regime.above < ranks && (found == nullptr || regime.above > found->above))
            found = &regime;
    }
    return found;
}

u32 bound_of(const Regime* regime) { return regime == nullptr ? 0 : regime->above; }

/// Whether to read a run: those of the regime of the requested one only. Throws Error(usage) for
/// a run that is given for a regime and is not in it.
bool is_used(const ExtrapolateArguments& arguments, const std::string& path, u32 ranks) {
    for (const Regime& regime : arguments.regimes) {
        if (std::ranges::find(regime.paths, path) == regime.paths.end() || ranks > regime.above)
            continue;
        throw Error(ErrorKind::usage, "{} has {} ranks, and --regime gives it for P > {}", path,
                    ranks, regime.above);
    }
    return bound_of(regime_of(arguments.regimes, ranks)) ==
           bound_of(regime_of(arguments.regimes, arguments.ranks));
}

void expect_two(const OpenedRuns& opened, const ExtrapolateArguments& arguments) {
    if (opened.runs.size() >= 2) return;
    throw Error(ErrorKind::usage,
                "{} of the runs {} in the regime of {} ranks (--regime); give at least two",
                opened.runs.size(), opened.runs.size() == 1 ? "is" : "are", arguments.ranks);
}

std::string grid_text(const RankGrid& grid) {
    std::string text;
    for (std::size_t d = grid.dimensions(); d-- > 0;) {
        text += (text.empty() ? "" : " x ") + std::to_string(grid.sizes()[d]);
    }
    return text;
}

ProgramRequest request_of(const ExtrapolateArguments& arguments,
                          const std::vector<TrainingRun>& runs) {
    ProgramRequest request{arguments.ranks,
                           {arguments.grid.rbegin(), arguments.grid.rend()},
                           {},
                           arguments.may_approximate,
                           {}};
    const auto check_places = [](const std::vector<u32>& grid, u32 ranks) {
        u64 places = 1;
        for (const u32 size : grid) places *= size;
        if (!grid.empty() && places != ranks)
            throw Error(ErrorKind::usage, "the grid has {} places for {} ranks", places, ranks);
    };
    check_places(request.grid, request.ranks);
    for (const auto& [ranks, grid] : arguments.training_grids) {
        check_places(grid, ranks);
        if (std::ranges::find(runs, ranks, &TrainingRun::ranks) == runs.end())
            throw Error(ErrorKind::usage, "no run has {} ranks (--training-grid)", ranks);
        request.training_grids[ranks] = {grid.rbegin(), grid.rend()};
    }
    std::vector<u32> recorded;
    for (const TrainingRun& run : runs) recorded.push_back(run.ranks);
    const std::string missing = missing_property(recorded, request.ranks);
    if (!missing.empty() && request.grid.empty()) {
        throw Error(ErrorKind::unsupported,
                    "all runs have {} of ranks ({}), and {} is not: the program may not support "
                    "it; if it does, give its process grid with --grid",
                    missing, sizes_text(runs), request.ranks);
    }
    return request;
}

std::size_t script_count(const ProgramModel& model) {
    std::size_t count = 0;
    for (const auto& [key, threads] : model.of_class) count += threads.size();
    return count;
}

/// Models of the time of each call path; empty if a run has no times.
std::vector<PathModel> models_of_times(const OpenedRuns& opened) {
    std::vector<RunProfile> profiles;
    for (const TrainingRun& run : opened.runs) {
        if (!run.has_times) return {};
        profiles.push_back(profile_run(*run.file, run.name));
    }
    unify_roots(profiles);
    std::vector<PathModel> models = model_paths(profiles);
    std::erase_if(models, [](const PathModel& model) { return model.unit != Unit::seconds; });
    return models;
}

double median(std::vector<double> values) {
    std::ranges::sort(values);
    return values[values.size() / 2];
}

void print_errors_of_times(const std::vector<PathModel>& times, u32 ranks, Console& console) {
    std::vector<double> left_out;
    std::vector<double> ahead;
    std::vector<double> factors;
    for (const PathModel& model : times) {
        const auto interval = model.interval(ranks);
        if (!interval || !model.hold_out_error || !(interval->low > 0)) continue;
        left_out.push_back(model.growth.error);
        ahead.push_back(*model.hold_out_error);
        factors.push_back(std::sqrt(interval->high / interval->low));
    }
    if (factors.empty()) {
        console.detail("times: runs of too few sizes to validate them");
        return;
    }
    console.summary(fmt::format(
        "times of call paths: 90 % interval by a factor of {:.2g} up and down; error {} of sizes "
        "left out, {} of the largest size predicted from smaller ones (medians of {} call paths)",
        median(factors), format_percent(median(left_out)), format_percent(median(ahead)),
        factors.size()));
}

/// Places with the same approximation, such as iterations of a loop, share a line.
void warn_of_approximations(const ProgramModel& model, Console& console) {
    std::map<std::string, int> places;
    for (const Approximation& some : model.approximations()) {
        ++places[fmt::format("{} is approximate: {}, error {}", some.what, some.formula,
                             format_percent(some.error))];
    }
    for (const auto& [text, count] : places) {
        console.warning(count == 1 ? text : fmt::format("{} ({} places)", text, count));
    }
}

void print_text(const ExtrapolateArguments& arguments, const OpenedRuns& opened,
                const ProgramModel& model, const std::vector<PathModel>& times, u64 bytes,
                Console& console) {
    const u32 above = bound_of(regime_of(arguments.regimes, arguments.ranks));
    console.detail(fmt::format("ranks are classified {}; {} scripts", to_text(model.classes),
                               script_count(model)));
    const u64 reordered = model.reordered();
    if (reordered != 0) {
        console.warning(
            fmt::format("the completion order of {} receives from any source is arbitrary: it "
                        "differs from run to run",
                        reordered));
    }
    warn_of_approximations(model, console);
    console.summary(fmt::format(
        "{}: {}, {} ranks, process grid {} ({}), from runs of {}{}; exact if {}", arguments.output,
        format_size(bytes), arguments.ranks, grid_text(model.grid), to_text(model.rule),
        sizes_text(opened.runs), regime_text(above), assumption(model, opened.runs)));
    if (!times.empty()) print_errors_of_times(times, arguments.ranks, console);
}

void print_json(const ExtrapolateArguments& arguments, const OpenedRuns& opened,
                const ProgramModel& model, const std::vector<PathModel>& times, u64 bytes,
                Console& console) {
    JsonWriter json = begin_document(console, "extrapolate");
    json.member("output", arguments.output).member("bytes", bytes).member("ranks", arguments.ranks);
    json.key("grid").begin_array();
    for (std::size_t d = model.grid.dimensions(); d-- > 0;) json.value(model.grid.sizes()[d]);
    json.end_array().member("grid_rule", to_text(model.rule));
    json.member("classes", to_text(model.classes)).member("scripts", script_count(model));
    json.member("assumption", assumption(model, opened.runs));
    const u32 above = bound_of(regime_of(arguments.regimes, arguments.ranks));
    if (above != 0) json.member("regime_above", above);
    json.member("reordered_receives", model.reordered());
    write_objects("approximate", model.approximations(), json, [&](const Approximation& some) {
        json.member("what", some.what)
            .member("formula", some.formula)
            .member("leave_one_out_error", some.error);
    });
    write_objects("times", times, json, [&](const PathModel& path) {
        json.member("path", path.path)
            .member("seconds_per_rank", evaluate(path.growth, arguments.ranks))
            .member("leave_one_out_error", path.growth.error);
        if (path.hold_out_error) json.member("hold_out_error", *path.hold_out_error);
        write_interval(path, arguments.ranks, json);
    });
    write_runs(opened.runs, json);
    json.end_object();
}

/// The number that cannot be predicted, with its values in the runs.
void print_refusal(const ExtrapolateArguments& arguments, const OpenedRuns& opened,
                   const Refusal& refusal, Console& console) {
    JsonWriter json = begin_document(console, "extrapolate_refusal");
    json.member("ranks", arguments.ranks).member("what", refusal.what).member("why", refusal.why);
    write_objects("values", refusal.values, json, [&](const Refusal::Value& value) {
        json.member("ranks", value.ranks).member("rank", value.rank).member("value", value.value);
    });
    write_runs(opened.runs, json);
    json.end_object();
}

/// The positional runs and those of regimes, each once.
RunArguments all_runs(const ExtrapolateArguments& arguments) {
    RunArguments all = arguments.runs;
    for (const Regime& regime : arguments.regimes) {
        for (const std::string& path : regime.paths) {
            if (std::ranges::find(all.paths, path) == all.paths.end()) all.paths.push_back(path);
        }
    }
    return all;
}

ExitCode run_extrapolate(const ExtrapolateArguments& arguments, Console& console,
                         const CommonOptions& common) {
    const OpenedRuns opened(all_runs(arguments), console, [&](const std::string& path, u32 ranks) {
        return is_used(arguments, path, ranks);
    });
    expect_two(opened, arguments);
    const u32 above = bound_of(regime_of(arguments.regimes, arguments.ranks));
    const ExtrapolationOutput output{arguments.output, "tracefold " TRACEFOLD_VERSION, 19,
                                     common.force, above};
    u64 bytes = 0;
    ProgramRequest request = request_of(arguments, opened.runs);
    request.fault = [&](const ProgramModel& model) -> std::string {
        try {
            bytes = fold_extrapolated(model, opened.kinds, opened.runs, output);
        } catch (const Error& error) {
            if (error.kind() != ErrorKind::unsupported) throw;
            return error.what();
        }
        return {};
    };
    const auto outcome = model_program(opened.runs, opened.kinds, request);
    if (const auto* refusal = std::get_if<Refusal>(&outcome)) {
        if (console.json()) print_refusal(arguments, opened, *refusal, console);
        throw Error(ErrorKind::unsupported,
                    "the run of {} ranks cannot be derived from these: {}{}{}", arguments.ranks,
                    refusal->what, refusal->what.empty() ? "" : ": ", refusal->why);
    }
    const auto& model = std::get<ProgramModel>(outcome);
    const bool shows_times = console.json() || !common.quiet;
    const std::vector<PathModel> times =
        shows_times ? models_of_times(opened) : std::vector<PathModel>();
    if (console.json()) {
        print_json(arguments, opened, model, times, bytes, console);
    } else {
        print_text(arguments, opened, model, times, bytes, console);
    }
    return exit_ok;
}

}  // namespace

ScaleCommand add_extrapolate_command(CLI::App& app) {
    auto arguments = std::make_shared<ExtrapolateArguments>();
    CLI::App* command =
        app.add_subcommand("extrapolate", "Extrapolate the trace to another number of ranks");
    arguments->runs.add_options(*command);
    command->add_option("--ranks", arguments->ranks, "Number of ranks of the run")
        ->default_str("")
        ->type_name("N")
        ->check(CLI::Range(2U, 1U << 24U))
        ->required();
    command
        ->add_option_function<std::string>(
            "--grid", [arguments](const std::string& text) { arguments->grid = parse_grid(text); },
            "Process grid, fastest dimension first, as in 16,8,8 (default: as even as those of the "
            "runs)")
        ->type_name("X,Y,Z");
    command
        ->add_option_function<std::vector<std::string>>(
            "--training-grid",
            [arguments](const std::vector<std::string>& all) {
                for (const std::string& text : all)
                    arguments->training_grids.insert(parse_training_grid(text));
            },
            "Process grid of a run, as in 8=4,2; may be repeated (default: as even as possible)")
        ->type_name("N=X,Y,Z")
        ->expected(1)
        ->take_all();
    command
        ->add_option_function<std::vector<std::string>>(
            "--regime",
            [arguments](const std::vector<std::string>& all) {
                for (const std::string& text : all)
                    arguments->regimes.push_back(parse_regime(text));
            },
            "The program changes above N ranks: use the runs of the regime of --ranks only, with "
            "more runs of it, as in 'P>64=128.tfold'; may be repeated")
        ->type_name("P>N[=FILE,...]")
        ->expected(1)
        ->take_all();
    command->add_flag("--allow-approximate", arguments->may_approximate,
                      "Fit sizes without an exact formula, and list them");
    command->add_option("-o,--output", arguments->output, "Folded file to write")
        ->type_name("FILE")
        ->required();
    return {command, [arguments](Console& console, const CommonOptions& common) {
                return run_extrapolate(*arguments, console, common);
            }};
}

}  // namespace tracefold
