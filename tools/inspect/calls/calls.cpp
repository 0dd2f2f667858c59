// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/calls/calls.hpp"

#include "analysis/iterations.hpp"
#include "analysis/node_clocks.hpp"
#include "common/json_document.hpp"
#include "common/output_format.hpp"
#include "common/select_locations.hpp"
#include "inspect/command.hpp"
#include "inspect/empty_result.hpp"
#include "listing/call_lister.hpp"
#include "listing/text_sink.hpp"

#include <algorithm>
#include <memory>

namespace tracefold {

namespace {

struct CallsArguments {
    TraceInput input;
    RankList ranks;
    RankList iterations;
    TimeWindow window;
    NameFilter names;
    OutputFormat format;
};

/// What calls of a file are wanted, and their way to a sink.
class CallsCommand {
  public:
    CallsCommand(CallsArguments& arguments, TraceFile& file)
        : arguments_(arguments),
          file_(file),
          source_(file),
          names_(file.definitions()),
          clock_(common_clock(file)),
          steps_(file),
          iterations_(file, source_, steps_) {
        if (!arguments.iterations.selects_all()) iterations_.expect_some();
        if (arguments.window.given && file.summary().timing == TimingLevel::none) {
            throw Error(ErrorKind::usage, "--time needs a file with times; this one keeps none");
        }
    }

    /// `flush` is called now and then.
    void pass(CallSink& sink, const std::function<void()>& flush) {
        const std::vector<bool> selected =
            select_locations(arguments_.ranks, names_, file_.location_count());
        for (u32 location = 0; location < file_.location_count(); ++location) {
            if (selected[location] && file_.index().script(Stream::events, location) != kNone) {
                pass_location(location, sink, flush);
            }
        }
        flush();
    }

    /// Says why nothing was passed, if so.
    void explain(Console& console) {
        if (passed_ != 0) return;
        if (warn_if_nothing_matches(arguments_.names, file_, console)) return;
        console.warning(arguments_.iterations.selects_all()
                            ? "no call is in this part of the trace"
                            : "no call is in these iterations: " + iterations_text());
    }

  private:
    [[nodiscard]] std::string iterations_text() {
        u64 most = 0;
        for (u32 location = 0; location < file_.location_count(); ++location) {
            most = std::max(most, iterations_.count(location));
        }
        return "there are " + std::to_string(most) + ", counted from 0";
    }

    void pass_location(u32 location, CallSink& sink, const std::function<void()>& flush) {
        CallLister calls(file_, source_.names(), clock_, names_.label(location), location);
        const bool counts = !arguments_.iterations.selects_all();
        StepCounter steps(counts ? iterations_.of(location) : nullptr);
        while (calls.next()) {
            steps.next();
            if (counts && !is_wanted(steps.step())) continue;
            if (!arguments_.names.matches(calls.head().name) || !overlaps(calls.head())) continue;
            calls.pass(sink);
            flush();
            ++passed_;
        }
    }

    [[nodiscard]] bool is_wanted(const std::optional<u64>& iteration) const {
        return iteration && arguments_.iterations.contains(*iteration);
    }

    [[nodiscard]] bool overlaps(const CallHead& head) const {
        if (!arguments_.window.given) return true;
        const auto rate = static_cast<double>(file_.definitions().timer_resolution());
        const double begin = static_cast<double>(*head.begin) / rate;
        const double end = begin + static_cast<double>(head.ticks.value_or(0)) / rate;
        return end >= arguments_.window.from && begin <= arguments_.window.to;
    }

    CallsArguments& arguments_;
    TraceFile& file_;
    ListingSource source_;
    ParticipantNames names_;
    CommonClock clock_;
    u64 passed_ = 0;
    FoundSteps steps_;
    Iterations iterations_;
};

void print_calls(CallsArguments& arguments, TraceFile& file, Console& console) {
    CallsCommand command(arguments, file);
    if (console.json()) {
        JsonWriter json(console.out(), JsonLayout::one_line);
        begin_document(json, "calls")
            .member("file", arguments.input.path)
            .key("calls")
            .begin_array();
        JsonCallSink sink(file.definitions(), json);
        command.pass(sink, [] {});
        json.end_array().end_object();
    } else if (arguments.format.csv) {
        console.out() << CsvCallSink::header() << '\n';
        CsvCallSink sink(file.definitions(), console.out());
        command.pass(sink, [] {});
    } else {
        std::string piece;
        TextSink sink(file.definitions(), piece);
        command.pass(sink, [&] {
            console.out() << piece;
            piece.clear();
        });
    }
    command.explain(console);
}

ExitCode run_calls(CallsArguments& arguments, Console& console) {
    arguments.format.check(console);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    naming_file(arguments.input.path, [&] { print_calls(arguments, input->file(), console); });
    return exit_ok;
}

}  // namespace

InspectCommand add_calls_command(CLI::App& app) {
    auto arguments = std::make_shared<CallsArguments>();
    CLI::App* calls = app.add_subcommand("calls", "The calls one by one, with times and arguments");
    arguments->input.add_options(*calls);
    add_ranks_option(*calls, arguments->ranks);
    add_time_option(*calls, arguments->window,
                    "Only calls in this window of seconds, as in 1.5:2 or :20ms");
    add_iterations_option(*calls, arguments->iterations,
                          "Only these steps of the program, from 0, as in 0-9");
    add_match_option(*calls, arguments->names);
    arguments->format.add_options(*calls, false);
    return {calls, alone([arguments](Console& console) { return run_calls(*arguments, console); })};
}

}  // namespace tracefold
