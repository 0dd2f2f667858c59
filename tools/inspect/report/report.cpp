// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"
#include "base/file.hpp"
#include "base/temporary.hpp"
#include "common/clock_option.hpp"
#include "common/console.hpp"
#include "common/output_format.hpp"
#include "common/text.hpp"
#include "file/location_blocks.hpp"
#include "inspect/command.hpp"
#include "inspect/page/page_text.hpp"
#include "inspect/page/static_page.hpp"
#include "inspect/page/temporary_trace.hpp"
#include "inspect/predict/network_options.hpp"
#include "inspect/predict/predict.hpp"

#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kMegabyte = 1'000'000;
constexpr u64 kLeastPage = kMegabyte / 2;
constexpr u64 kMostPage = 1000 * kMegabyte;
/// Lane memory while the page is written.
constexpr std::size_t kReportLaneBytes = std::size_t{128} << 20U;

struct ReportArguments {
    WorldInput input;
    std::string output;
    ClockOption clocks;
    NetworkOptions networks;
    u64 max_size = 5 * kMegabyte;
    bool force = false;

    [[nodiscard]] std::string page() const {
        if (!output.empty()) return output;
        return std::filesystem::path(input.name()).replace_extension(".html").string();
    }
};

/// Completes "5" to "5MB".
std::string with_unit(std::string& size) {
    if (size.find_first_not_of("0123456789") == std::string::npos) size += "MB";
    return {};
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

/// The folded file of a report: as given, folded temporarily, or with corrected clocks.
class ReportedTrace {
  public:
    /// Collective; throws the same Error on all processes.
    ReportedTrace(const ReportArguments& arguments, Communicator& comm, Console& console)
        : kept_(arguments.input, comm, console), input_(kept_.input()) {
        if (!arguments.clocks.sync) return;
        const ScratchFolder folder(comm, scratch_directory());
        const std::string path = (folder.path() / "synchronised.tfold").string();
        SyncReport report;
        on_first(comm, [&] {
            TraceFile file(input_, arguments.input.path);
            report =
                arguments.clocks.write(file, {path, arguments.input.level, false, 0, {}}, console);
        });
        clocks_ = std::move(report);
        agree(comm, [&] { input_ = std::make_shared<const InputFile>(path); });
    }

    [[nodiscard]] const std::shared_ptr<const InputFile>& input() const { return input_; }
    [[nodiscard]] const std::string& name() const { return kept_.name(); }
    [[nodiscard]] const SyncReport* clocks() const { return clocks_ ? &*clocks_ : nullptr; }

  private:
    TemporaryTrace kept_;
    std::shared_ptr<const InputFile> input_;
    std::optional<SyncReport> clocks_;
};

/// JSON; empty without a requested network. Collective; complete on process 0.
std::string prediction_of(const ReportArguments& arguments, const ReportedTrace& trace,
                          Communicator& comm) {
    if (arguments.networks.names.empty()) return "";
    std::optional<TraceFile> file;
    PredictionRequest request;
    agree(comm, [&] {
        file.emplace(trace.input(), trace.name());
        request = arguments.networks.request(*file);
    });
    request.delays = true;
    PredictView view;
    view.file = trace.name();
    view.definitions = &file->definitions();
    view.has_delays = true;
    view.placement = request.placement;
    view.data = predict(comm, *file, request);
    if (comm.rank() != 0) return "";
    return document_of([&](Console& console) { write_prediction_json(view, console); });
}

/// Collective; complete on process 0.
std::string page_of(const ReportArguments& arguments, const ReportedTrace& trace,
                    PageDocuments& documents, std::string prediction, Communicator& comm) {
    std::optional<TraceView> view;
    const u32 threads = useful_threads(documents.file().definitions().locations(),
                                       arguments.input.threads_of(comm));
    agree(comm, [&] { view.emplace(documents.file(), documents.open().steps, kReportLaneBytes); });
    const std::string frame = page_text(trace.name(), "");
    const std::size_t room = arguments.max_size;
    const std::size_t data = room - std::min(room, frame.size());
    StaticPage page{comm, *view, documents, trace.name()};
    // Escaped characters in a script element take six bytes; they are rare.
    page.most_bytes = data - data / 50;
    page.threads = threads;
    page.prediction = std::move(prediction);
    return page_text(trace.name(), kept_page_data(page));
}

ExitCode run_report(const ReportArguments& arguments, Console& console, Communicator& comm) {
    const std::string output = arguments.page();
    const ReportedTrace trace(arguments, comm, console);
    std::optional<AtomicFile> file;
    on_first(comm, [&] { file.emplace(output, arguments.force); });
    PageDocuments documents(trace.input(), trace.name());
    documents.set_clocks(trace.clocks());
    const std::string page = naming_file(arguments.input.path, [&] {
        documents.set_most_bytes(arguments.max_size / 2);
        documents.prepare(comm, arguments.input.fanout, arguments.input.threads);
        return page_of(arguments, trace, documents, prediction_of(arguments, trace, comm), comm);
    });
    on_first(comm, [&] {
        file->write(page);
        file->commit();
        tell_what_was_written(arguments.input.name(), output, file->size(), console);
    });
    return exit_ok;
}

}  // namespace

InspectCommand add_report_command(CLI::App& app) {
    auto arguments = std::make_shared<ReportArguments>();
    arguments->input.level = TraceInput::kThorough;
    CLI::App* report = app.add_subcommand("report", "Write a self-contained HTML report");
    arguments->input.add_options(*report);
    arguments->input.add_threads(*report, "read locations, and make documents");
    report
        ->add_option("-o,--output", arguments->output,
                     "Page to write (default: name of FILE with .html, in the current folder)")
        ->type_name("FILE");
    report
        ->add_option("--max-size", arguments->max_size,
                     "Size limit of the page, such as 800kB; a number alone is megabytes; the page "
                     "lists omissions")
        ->type_name("SIZE")
        ->check(CLI::Range(kLeastPage, kMostPage))
        ->transform(CLI::AsSizeValue(true))
        ->transform(CLI::Validator(with_unit, ""))
        ->default_str("5MB");
    arguments->clocks.add_options(*report);
    arguments->networks.add_network(
        *report, "Also predict the run on these networks, like trace_inspect predict");
    report->add_flag("-f,--force", arguments->force, "Overwrite the page");
    return {report, [arguments](Console& console, Communicator& comm) {
                return run_report(*arguments, console, comm);
            }};
}

}  // namespace tracefold
