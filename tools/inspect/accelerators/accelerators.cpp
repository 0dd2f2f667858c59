// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/accelerators/accelerators.hpp"

#include "common/output_format.hpp"
#include "inspect/command.hpp"
#include "names/participant_names.hpp"

#include <memory>

namespace tracefold {

namespace {

struct AcceleratorsArguments {
    TraceInput input;
    OutputFormat format;
};

ExitCode run_accelerators(const AcceleratorsArguments& arguments, Console& console) {
    arguments.format.check(console);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(console);
    const AcceleratorsView view = naming_file(arguments.input.path, [&] {
        return accelerators_view(input->file(), arguments.input.path);
    });
    arguments.format.show(view, console, write_accelerators_json, write_accelerators_csv,
                          print_accelerators);
    return exit_ok;
}

}  // namespace

AcceleratorsView accelerators_view(TraceFile& file, const std::string& name) {
    if (!keeps_every_time(file.summary().timing)) {
        throw Error(ErrorKind::usage,
                    name +
                        " does not keep the time of every event; fold with exact or quantized "
                        "times");
    }
    AcceleratorsView view;
    view.file = name;
    view.rate = file.definitions().tick_rate();
    view.data = accelerator_activity(file);
    const ParticipantNames names(file.definitions());
    for (const auto& stream : view.data.streams) {
        view.streams.push_back(names.label(stream.location));
    }
    for (const auto& thread : view.data.threads) {
        view.threads.push_back(names.label(thread.location));
    }
    return view;
}

InspectCommand add_accelerators_command(CLI::App& app) {
    auto arguments = std::make_shared<AcceleratorsArguments>();
    CLI::App* accelerators = app.add_subcommand(
        "accelerators", "What streams of GPUs run, copy and idle, and what the host waits for");
    arguments->input.add_options(*accelerators);
    arguments->format.add_options(*accelerators, false);
    return {accelerators,
            alone([arguments](Console& console) { return run_accelerators(*arguments, console); }),
            &arguments->input};
}

}  // namespace tracefold
