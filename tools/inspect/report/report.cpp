// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/accelerator_activity.hpp"
#include "comm/serial.hpp"
#include "common/clock_option.hpp"
#include "common/json_document.hpp"
#include "common/text.hpp"
#include "common/units.hpp"
#include "inspect/command.hpp"
#include "inspect/page/kept_page.hpp"
#include "inspect/page/kept_trace.hpp"
#include "inspect/page/page_text.hpp"
#include "inspect/predict/network_options.hpp"
#include "inspect/report/sections.hpp"
#include "inspect/world_input.hpp"
#include "io/file.hpp"

#include <filesystem>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

struct ReportArguments {
    WorldInput input;
    std::string output;
    ClockOption clocks;
    NetworkOptions networks;
    bool interactive = false;
    u64 max_size = 5;
    bool force = false;
};

std::string default_output(const TraceInput& input) {
    return std::filesystem::path(input.name()).replace_extension(".html").string();
}

std::vector<std::pair<std::string, std::string>> links_of(bool accelerators, bool metrics,
                                                          bool prediction) {
    std::vector<std::pair<std::string, std::string>> links = {
        {"findings", "Findings"}, {"efficiency", "Efficiency"}, {"timeline", "Timeline"}};
    if (prediction) links.emplace_back("prediction", "Prediction");
    if (accelerators) links.emplace_back("accelerators", "Accelerators");
    links.insert(links.end(), {{"structure", "Structure"},
                               {"graph", "Event flow graph"},
                               {"matrix", "Who sends to whom"},
                               {"sizes", "Sizes"},
                               {"calls", "Calls"},
                               {"profile", "Call paths"},
                               {"files", "Files"}});
    if (metrics) links.emplace_back("metrics", "Metrics");
    links.insert(links.end(), {{"classes", "Classes"}, {"glossary", "Glossary"}});
    return links;
}

/// `prediction`: null if none was asked for.
std::string page_of(ReportSource& source, const SharedParts& parts, const PredictView* prediction) {
    const std::string& name = source.name;
    std::ostringstream out;
    ReportPage page(out, "Trace " + name);
    out << "<h1>" << markup_text(name) << "</h1>\n";
    const bool accelerators = has_accelerators(source.file);
    const bool metrics = !parts.profile.data.metric_entries.empty();
    page.links(links_of(accelerators, metrics, prediction != nullptr));
    put_overview(page, source);
    put_efficiency(page, source);
    put_timeline(page, source);
    if (prediction != nullptr) put_prediction(page, *prediction);
    if (accelerators) put_accelerators(page, source);
    put_structure(page, source);
    put_graph(page, source);
    put_matrix(page, source);
    put_sizes(page, source);
    put_statistics(page, parts);
    put_profile(page, parts);
    put_io(page, source);
    if (metrics) put_metrics(page, parts, source);
    put_classes(page, parts);
    page.finish();
    return std::move(out).str();
}

void tell_what_was_written(const std::string& name, const std::string& output, u64 bytes,
                           Console& console) {
    if (!console.json()) {
        console.summary(output + ": " + format_size(bytes));
        return;
    }
    JsonWriter json(console.out(), console.json_layout());
    begin_document(json, "report")
        .member("file", name)
        .member("output", output)
        .member("bytes", bytes)
        .end_object();
}

/// Nothing unless a network was named.
std::optional<PredictView> prediction_of(const ReportArguments& arguments, TraceFile& file,
                                         Communicator& comm) {
    if (arguments.networks.names.empty()) return std::nullopt;
    PredictView view;
    view.file = arguments.input.name();
    view.definitions = &file.definitions();
    PredictionRequest request;
    agree(comm, [&] { request = arguments.networks.request(file); });
    request.delays = true;
    view.has_delays = true;
    view.placement = request.placement;
    view.data = predict(comm, file, request);
    return view;
}

constexpr std::size_t kMegabyte = 1'000'000;
/// Room for what is looked at while the page is written.
constexpr std::size_t kReportLaneBytes = std::size_t{128} << 20U;

/// The page of trace_inspect serve with its data, written by one process.
ExitCode run_interactive(const ReportArguments& arguments, const std::string& output,
                         Console& console) {
    SerialCommunicator alone;
    const KeptTrace kept(arguments.input, alone, console);
    AtomicFile file(output, arguments.force);
    file.write(naming_file(arguments.input.path, [&] {
        TraceView view(kept.path(), kept.name(), kReportLaneBytes);
        view.make_ahead();
        const std::string frame = page_text(kept.name(), "", "");
        const std::size_t room = arguments.max_size * kMegabyte;
        const std::size_t data = room - std::min(room, frame.size());
        // Letters that may not stand within a script element take six bytes; there are few.
        return page_text(kept.name(),
                         kept_page_data(view, kept.path(), kept.name(), data - data / 50), "");
    }));
    file.commit();
    tell_what_was_written(arguments.input.name(), output, file.size(), console);
    return exit_ok;
}

void refuse_idle_options(const ReportArguments& arguments) {
    if (arguments.clocks.sync) {
        throw Error(ErrorKind::usage,
                    "--sync-clocks is for the report of listings, not for --interactive");
    }
    if (!arguments.networks.names.empty()) {
        throw Error(ErrorKind::usage,
                    "--network is for the report of listings, not for --interactive");
    }
}

ExitCode run_report(const ReportArguments& arguments, Console& console, Communicator& comm) {
    if (arguments.interactive) {
        refuse_idle_options(arguments);
        const std::string page =
            arguments.output.empty() ? default_output(arguments.input) : arguments.output;
        agree(comm, [&] {
            if (comm.rank() == 0) run_interactive(arguments, page, console);
        });
        return exit_ok;
    }
    const std::string output =
        arguments.output.empty() ? default_output(arguments.input) : arguments.output;
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    const std::optional<SyncReport> clocks = naming_file(arguments.input.path, [&] {
        return arguments.clocks.apply(comm, *input, arguments.input.level, console);
    });
    FoundSteps steps(input->file(), StepLevels::two);
    const SharedParts parts = naming_file(arguments.input.path, [&] {
        return shared_parts(comm, input->file(), steps, arguments.input.name(),
                            arguments.input.fanout);
    });
    const std::optional<PredictView> prediction = naming_file(
        arguments.input.path, [&] { return prediction_of(arguments, input->file(), comm); });
    agree(comm, [&] {
        if (comm.rank() != 0) return;
        AtomicFile file(output, arguments.force);
        file.write(naming_file(arguments.input.path, [&] {
            ReportSource source(input->file(), arguments.input.name(), steps);
            source.clocks = clocks;
            return page_of(source, parts, prediction ? &*prediction : nullptr);
        }));
        file.commit();
        tell_what_was_written(arguments.input.name(), output, file.size(), console);
    });
    return exit_ok;
}

}  // namespace

ReportSource::ReportSource(TraceFile& trace, std::string shown, FoundSteps& found)
    : file(trace),
      name(std::move(shown)),
      names(trace.definitions()),
      listing(trace),
      steps(found),
      iterations(trace, listing, found),
      everyone(trace.location_count(), true),
      times(call_times(trace)) {}

InspectCommand add_report_command(CLI::App& app) {
    auto arguments = std::make_shared<ReportArguments>();
    arguments->input.level = TraceInput::kThorough;
    CLI::App* report =
        app.add_subcommand("report", "One page about the trace, for a browser or for paper");
    arguments->input.add_options(*report);
    report
        ->add_option("-o,--output", arguments->output,
                     "Page to write (default: name of FILE with .html, in the current folder)")
        ->type_name("FILE");
    arguments->clocks.add_options(*report);
    arguments->networks.add_network(
        *report, "Also predict the run on these networks, as trace_inspect predict does");
    report->add_flag("--interactive", arguments->interactive,
                     "The page of trace_inspect serve instead, with its data");
    report
        ->add_option("--max-size", arguments->max_size,
                     "With --interactive: megabytes that the page may have")
        ->type_name("MB")
        ->check(CLI::Range(1, 1000))
        ->capture_default_str();
    report->add_flag("-f,--force", arguments->force, "Overwrite the page");
    return {report, [arguments](Console& console, Communicator& comm) {
                return run_report(*arguments, console, comm);
            }};
}

}  // namespace tracefold
