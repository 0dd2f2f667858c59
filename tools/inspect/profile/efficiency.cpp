// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/profile/efficiency.hpp"

#include "common/json_document.hpp"
#include "common/output_format.hpp"
#include "core/csv_table.hpp"
#include "inspect/command.hpp"
#include "inspect/gaps.hpp"

#include <initializer_list>
#include <memory>

namespace tracefold {

namespace {

struct EfficiencyArguments {
    TraceInput input;
    OutputFormat format;
    ClockOption clocks;
};

/// One process walks the ranks, who wait for each other, while the others read calls for it: it
/// takes no further cores without being told so.
u32 threads_of_walk(const TraceInput& input, const Communicator& comm) {
    return input.threads == 0 && comm.size() > 1 ? 1 : input.threads;
}

ExitCode run_efficiency(const EfficiencyArguments& arguments, Console& console,
                        Communicator& comm) {
    arguments.format.check(console);
    const std::unique_ptr<FoldedInput> input = arguments.input.open(comm, console);
    EfficiencyView view;
    view.clocks = naming_file(arguments.input.path, [&] {
        return arguments.clocks.apply(comm, *input, arguments.input.level, console);
    });
    view.file = arguments.input.path;
    view.data = naming_file(view.file, [&] {
        return trace_efficiency(comm, input->file(), WaitSearch::all,
                                threads_of_walk(arguments.input, comm));
    });
    on_first(comm, [&] {
        view.labels = location_labels(input->file());
        view.accelerators = accelerator_activity(input->file());
        arguments.format.show(view, console, write_efficiency_json, write_efficiency_csv,
                              print_efficiency);
    });
    return exit_ok;
}

/// What there is without MPI is in no MPI call.
void write_communication(const Efficiency& data, u64 ticks, JsonWriter& json) {
    json.member("mpi", data.seconds(data.has_mpi ? ticks : 0));
    if (!data.has_mpi) json.member("communication", data.seconds(ticks));
}

void write_rank(const Efficiency& data, std::size_t place, JsonWriter& json) {
    const RankEfficiency& times = data.ranks[place];
    json.begin_object().member("rank", times.rank);
    if (!data.has_mpi) json.member("name", data.names[place]);
    json.member("computation", data.seconds(times.computation));
    write_communication(data, times.mpi, json);
    json.member("io", data.seconds(times.io));
    if (data.has_ideal()) json.member("ideal", data.seconds(times.ideal));
    json.key("waits").begin_object();
    for (std::size_t kind = 0; kind < kWaitKinds && data.knows_waits && data.has_mpi; ++kind) {
        json.member(wait_name(static_cast<WaitKind>(kind)), data.seconds(times.waits[kind]));
    }
    json.end_object().end_object();
}

void write_waits(const EfficiencyView& view, JsonWriter& json) {
    const Efficiency& data = view.data;
    write_objects("waits", data.waits, json, [&](const Efficiency::Wait& wait) {
        json.member("path", wait.path).member("rank", wait.rank);
        if (data.threads_call_mpi) json.member("thread", view.label(wait.location));
        json.member("kind", wait_name(wait.kind))
            .member("calls", wait.count)
            .member("seconds", data.seconds(wait.ticks));
    });
}

/// Of threads that call accelerators, or of streams.
void write_accelerators(const EfficiencyView& view, std::string_view key,
                        const std::vector<AcceleratorActivity::Location>& locations,
                        JsonWriter& json) {
    using Use = AcceleratorUse;
    write_objects(key, locations, json, [&](const AcceleratorActivity::Location& it) {
        json.member("location", view.label(it.location));
        for (const Use use : {Use::kernel, Use::copy, Use::wait, Use::call}) {
            json.member(accelerator_use_name(use), view.data.seconds(it.ticks_of(use)));
        }
    });
}

void write_threads(const EfficiencyView& view, JsonWriter& json) {
    const Efficiency& data = view.data;
    write_objects("threads", data.threads.threads, json, [&](const ThreadTimes& thread) {
        json.member("location", thread.location)
            .member("thread", view.label(thread.location))
            .member("computation", data.seconds(thread.of(ThreadUse::work)));
        write_communication(data, thread.mpi, json);
        for (std::size_t use = 1; use < kThreadUses; ++use) {
            const auto name = thread_use_name(static_cast<ThreadUse>(use));
            json.member(name, data.seconds(thread.uses[use]));
        }
    });
}

void write_thread_waits(const EfficiencyView& view, JsonWriter& json) {
    const Efficiency& data = view.data;
    write_objects("thread_waits", data.threads.waits, json, [&](const auto& wait) {
        json.member("path", wait.path);
        if (!data.has_mpi) json.member("process", data.names[wait.process]);
        json.member("thread", view.label(wait.location))
            .member("kind", thread_use_name(wait.use))
            .member("calls", wait.count)
            .member("seconds", data.seconds(wait.ticks));
    });
}

/// Shares are of the span of the process that uses the accelerator.
void write_devices(const Efficiency& data, JsonWriter& json) {
    write_objects("devices", data.devices, json, [&](const DeviceTimes& device) {
        json.member("name", device.name);
        if (device.process != kNone) json.member("rank", device.process);
        json.member("streams", device.streams)
            .member("seconds", data.seconds(device.span))
            .member("kernels", data.seconds(device.kernels))
            .member("copies", data.seconds(device.copies));
    });
}

}  // namespace

void write_efficiency_json(const EfficiencyView& view, Console& console) {
    const Efficiency& data = view.data;
    JsonWriter json = begin_document(console, "efficiency");
    json.member("file", view.file).member("runtime", data.seconds(data.runtime));
    if (data.has_ideal()) json.member("ideal_runtime", data.seconds(data.ideal_runtime));
    json.member("process_kind", process_word(data.gaps.kind));
    json.member("threads_call_mpi", data.threads_call_mpi).key("efficiency").begin_object();
    for (const EfficiencyFactor& factor : factors(data)) {
        if (factor.value) json.member(factor.name, *factor.value);
    }
    json.end_object();
    if (!data.why_not_split.empty()) json.member("not_computed", data.why_not_split);
    add_gaps(json, data.gaps, GapScope::mpi);
    json.member("early_messages", data.early_messages);
    add_clocks(json, view.clocks ? &*view.clocks : nullptr);
    json.key("ranks").begin_array();
    for (std::size_t i = 0; i < data.ranks.size(); ++i) write_rank(data, i, json);
    json.end_array();
    write_waits(view, json);
    if (!data.threads.threads.empty()) write_threads(view, json);
    if (!data.threads.threads.empty() || !data.threads.waits.empty()) {
        write_thread_waits(view, json);
    }
    if (!view.accelerators.empty()) {
        write_accelerators(view, "accelerator_threads", view.accelerators.threads, json);
        write_accelerators(view, "streams", view.accelerators.streams, json);
        write_devices(data, json);
    }
    json.end_object();
}

InspectCommand add_efficiency_command(CLI::App& app) {
    auto arguments = std::make_shared<EfficiencyArguments>();
    CLI::App* efficiency = app.add_subcommand(
        "efficiency", "How well the processes were used, and where they waited for each other");
    arguments->input.add_options(*efficiency);
    arguments->input.add_threads(*efficiency, "read the calls of ranks");
    arguments->format.add_options(*efficiency, false);
    arguments->clocks.add_options(*efficiency);
    return {efficiency, [arguments](Console& console, Communicator& comm) {
                return run_efficiency(*arguments, console, comm);
            }};
}

void write_efficiency_csv(const EfficiencyView& view, std::ostream& out) {
    CsvTable table(out);
    put_efficiency(view, table);
}

}  // namespace tracefold
