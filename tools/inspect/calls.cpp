// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/calls.hpp"

#include "analysis/iteration_counter.hpp"
#include "analysis/main_loop.hpp"
#include "common/json_document.hpp"
#include "common/select_locations.hpp"
#include "common/units.hpp"
#include "inspect/command.hpp"
#include "inspect/output_format.hpp"
#include "pipeline/call_lister.hpp"
#include "pipeline/text_sink.hpp"

#include <charconv>
#include <limits>
#include <memory>

namespace tracefold {

namespace {

/// Seconds since the start of the trace.
struct Window {
    double from = -std::numeric_limits<double>::infinity();
    double to = std::numeric_limits<double>::infinity();
    bool given = false;
};

struct CallsArguments {
    std::string file;
    RankList ranks;
    RankList iterations;
    Window window;
    NameFilter names;
    OutputFormat format;
};

/// "1.5" are seconds, "20ms" says so itself.
double parse_time(const std::string& text) {
    double seconds = 0;
    const char* end = text.data() + text.size();
    const auto [rest, error] = std::from_chars(text.data(), end, seconds);
    return error == std::errc() && rest == end ? seconds : parse_seconds(text);
}

Window parse_window(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) {
        throw Error(ErrorKind::usage,
                    "'" + text + "' is no time window; write FROM:TO, as in 1.5:2");
    }
    Window window;
    window.given = true;
    if (colon > 0) window.from = parse_time(text.substr(0, colon));
    if (colon + 1 < text.size()) window.to = parse_time(text.substr(colon + 1));
    return window;
}

/// What calls of a file are wanted, and their way to a sink.
class CallsCommand {
  public:
    CallsCommand(CallsArguments& arguments, TraceFile& file)
        : arguments_(arguments),
          file_(file),
          source_(file),
          names_(file.definitions()),
          loops_(source_) {
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

  private:
    void pass_location(u32 location, CallSink& sink, const std::function<void()>& flush) {
        CallLister calls(file_, source_.names(), names_.label(location), location);
        const bool counts = !arguments_.iterations.selects_all();
        IterationCounter iterations(file_.index(), location, counts ? loops_.of(location) : kNone);
        while (calls.next()) {
            if (counts) iterations.next();
            if (counts && !is_wanted(iterations.iteration())) continue;
            if (!arguments_.names.matches(calls.head().name) || !overlaps(calls.head())) continue;
            calls.pass(sink);
            flush();
        }
    }

    [[nodiscard]] bool is_wanted(const std::optional<u64>& iteration) const {
        return iteration && arguments_.iterations.contains(*iteration);
    }

    [[nodiscard]] bool overlaps(const CallHead& head) const {
        if (!arguments_.window.given) return true;
        const DefinitionIndex& definitions = file_.definitions();
        const auto seconds = [&definitions](u64 ticks) {
            return static_cast<double>(static_cast<i64>(ticks - definitions.clock_offset())) /
                   static_cast<double>(definitions.timer_resolution());
        };
        const double begin = seconds(*head.begin);
        const double end = head.end ? seconds(*head.end) : begin;
        return end >= arguments_.window.from && begin <= arguments_.window.to;
    }

    CallsArguments& arguments_;
    TraceFile& file_;
    ListingSource source_;
    ParticipantNames names_;
    ChosenLoops loops_;
};

void print_calls(CallsArguments& arguments, TraceFile& file, Console& console) {
    CallsCommand command(arguments, file);
    if (console.json()) {
        JsonWriter json(console.out(), JsonLayout::one_line);
        begin_document(json, "calls").member("file", arguments.file).key("calls").begin_array();
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
}

ExitCode run_calls(CallsArguments& arguments, Console& console) {
    arguments.format.check(console);
    TraceFile file(arguments.file);
    naming_file(arguments.file, [&] { print_calls(arguments, file, console); });
    return exit_ok;
}

}  // namespace

InspectCommand add_calls_command(CLI::App& app) {
    auto arguments = std::make_shared<CallsArguments>();
    CLI::App* calls = app.add_subcommand("calls", "The calls one by one, with times and arguments");
    add_file_argument(*calls, arguments->file);
    add_ranks_option(*calls, arguments->ranks);
    calls
        ->add_option_function<std::string>(
            "--time",
            [arguments](const std::string& text) { arguments->window = parse_window(text); },
            "Only calls in this window of seconds, as in 1.5:2 or :20ms")
        ->type_name("FROM:TO");
    calls
        ->add_option_function<std::string>(
            "--iterations",
            [arguments](const std::string& text) { arguments->iterations = RankList::parse(text); },
            "Only these iterations of the main loop, from 0, as in 0-9")
        ->type_name("LIST");
    add_match_option(*calls, arguments->names);
    arguments->format.add_options(*calls, false);
    return {calls, alone([arguments](Console& console) { return run_calls(*arguments, console); })};
}

}  // namespace tracefold
