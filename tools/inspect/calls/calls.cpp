// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/calls/calls.hpp"

#include "base/csv_table.hpp"
#include "common/output_format.hpp"
#include "common/part_options.hpp"
#include "inspect/command.hpp"
#include "questions/calls/selected_calls.hpp"
#include "questions/calls/text_sink.hpp"
#include "questions/calls/tick_window.hpp"

#include <algorithm>
#include <charconv>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace tracefold {

namespace {

struct CallsArguments {
    TraceInput input;
    PartArguments part;
    OutputFormat format;
};

/// Selects calls of a file and passes them to a sink.
class CallsCommand {
  public:
    CallsCommand(CallsArguments& arguments, TraceFile& file)
        : part_(arguments.part), file_(file), calls_(file, part_.selection(file)) {
        calls_.tell_steps();
    }

    /// `flush` is called regularly.
    void pass(CallSink& sink, const std::function<void()>& flush) {
        while (CallLister* call = calls_.next()) {
            call->describe(calls_.step());
            call->pass(sink);
            flush();
        }
        flush();
    }

    /// Explains an empty result.
    void explain(Console& console) {
        if (calls_.passed() != 0) return;
        part_.explain_nothing("call", file_, calls_.most_steps(), console);
    }

  private:
    PartArguments& part_;
    TraceFile& file_;
    SelectedCalls calls_;
};

void print_calls(CallsArguments& arguments, TraceFile& file, Console& console) {
    CallsCommand command(arguments, file);
    const RecordingGaps gaps = recording_gaps(file);
    const std::string drift = drift_sentence(gaps);
    if (!drift.empty()) console.warning(drift);
    if (console.json()) {
        JsonWriter json(console.out(), JsonLayout::one_line);
        begin_document(json, "calls").member("file", arguments.input.path);
        add_drift(json, gaps);
        json.key("calls").begin_array();
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
        console.text()
            << "# location  begin in s  duration in s  call  argument=value ...  step=number\n";
        command.pass(sink, [&] {
            console.text() << piece;
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
    CLI::App* calls = app.add_subcommand("calls", "List the calls with times and arguments");
    arguments->input.add_options(*calls);
    arguments->part.add_options(*calls, "calls", "in this window");
    arguments->format.add_options(*calls, false);
    return {calls,
            on_rank_zero([arguments](Console& console) { return run_calls(*arguments, console); })};
}

void PartArguments::add_options(CLI::App& app, const std::string& what, const std::string& when) {
    add_ranks_option(app, ranks);
    add_time_option(app, window,
                    "Only " + what + ' ' + when +
                        ", in seconds or percent of the run, as in 1.5:2, :20ms or 25%:50%");
    add_iterations_option(app, iterations, "Only these steps of the program, from 0, as in 0-9");
    add_match_option(app, names);
}

CallSelection PartArguments::selection(TraceFile& file) {
    CallSelection wanted;
    wanted.locations =
        select_locations(ranks, ParticipantNames(file.definitions()), file.location_count());
    if (window.given) {
        const TimeWindow seconds = window.has_shares() ? window.of_run(run_seconds(file)) : window;
        wanted.window = {seconds.from, seconds.to};
    }
    if (!iterations.selects_all()) {
        wanted.has_step = [this](u64 step) { return iterations.contains(step); };
    }
    wanted.has_name = [this](std::string_view name) { return names.matches(name); };
    return wanted;
}

void PartArguments::explain_nothing(const std::string& what, TraceFile& file, u64 steps,
                                    Console& console) {
    if (warn_if_nothing_matches(names, file, console)) return;
    console.warning(iterations.selects_all()
                        ? "no " + what + " is in this part of the trace"
                        : "no " + what + " is in these iterations: there are " +
                              std::to_string(steps) + ", counted from 0");
}

std::string CsvCallSink::header() {
    std::string line = "location,begin,duration,step,kind,call";
    for (const std::string_view name : kArguments) line.append(",").append(name);
    return line + ",other";
}

void CsvCallSink::begin_call(const CallHead& head) {
    const TickRate rate = definitions_.tick_rate();
    head_ = csv_field(head.location) + ',';
    if (head.begin) head_ += rate.seconds_text(*head.begin);
    head_ += ',';
    if (head.span) head_ += rate.seconds_text(*head.span);
    head_ += ',';
    if (head.step) head_ += std::to_string(*head.step);
    head_.append(",").append(kind_name(head.kind)).append(",").append(csv_field(head.name));
    for (std::string& argument : arguments_) argument.clear();
    others_.clear();
}

void CsvCallSink::begin_record(std::string_view type, bool plain) {
    record_ = plain ? "" : std::string(type) + ".";
}

void CsvCallSink::flag(std::string_view name) {
    begin_field(name, false);
    end_field();
}

void CsvCallSink::begin_field(std::string_view name, bool) {
    name_ = name;
    value_.clear();
}

void CsvCallSink::add(std::string_view value) {
    value_.append(value_.empty() ? "" : ";").append(value);
}

void CsvCallSink::end_field() {
    const auto column = std::find(kArguments.begin(), kArguments.end(), name_);
    if (record_.empty() && column != kArguments.end()) {
        std::string& argument = arguments_[static_cast<std::size_t>(column - kArguments.begin())];
        argument.append(argument.empty() ? "" : ";").append(value_);
        return;
    }
    others_.append(others_.empty() ? "" : " ").append(record_).append(name_);
    if (!value_.empty()) others_.append("=").append(value_);
}

void CsvCallSink::end_call() {
    out_ << head_;
    for (const std::string& argument : arguments_) out_ << ',' << csv_field(argument);
    out_ << ',' << csv_field(others_) << '\n';
}

void JsonCallSink::begin_call(const CallHead& head) {
    const TickRate rate = definitions_.tick_rate();
    json_.begin_object().member("location", head.location);
    if (head.begin) json_.member("begin", rate.seconds(*head.begin));
    if (head.span) json_.member("duration", rate.seconds(*head.span));
    if (head.step) json_.member("step", *head.step);
    json_.member("kind", kind_name(head.kind)).member("name", head.name);
    json_.key("records").begin_array();
}

void JsonCallSink::begin_record(std::string_view type, bool) {
    json_.begin_object().member("type", type).key("fields").begin_object();
}

void JsonCallSink::begin_field(std::string_view name, bool list) {
    json_.key(name);
    list_ = list;
    if (list_) json_.begin_array();
}

void JsonCallSink::end_field() {
    if (list_) json_.end_array();
}

void JsonCallSink::number_text(std::string_view text) {
    i64 integer = 0;
    const char* end = text.data() + text.size();
    if (const auto [rest, error] = std::from_chars(text.data(), end, integer);
        error == std::errc() && rest == end) {
        json_.value(integer);
        return;
    }
    double number = 0;
    const auto [rest, error] = std::from_chars(text.data(), end, number);
    error == std::errc() && rest == end ? json_.value(number) : json_.value(text);
}

void JsonCallSink::end_record() { json_.end_object().end_object(); }

}  // namespace tracefold
