// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/run.hpp"

#include "comm/agree.hpp"
#include "comm/mpi.hpp"
#include "replay/fidelity.hpp"
#include "replay/rank_program.hpp"
#include "replay/report.hpp"
#include "replay/report_files.hpp"
#include "replay_mpi/replay.hpp"

#include <memory>
#include <optional>

namespace tracefold {

namespace {

Error wrong_process_count(const std::string& input, u32 ranks, u64 processes,
                          const std::string& command) {
    const std::string count = std::to_string(ranks);
    return {ErrorKind::usage, input + " has " + count + (ranks == 1 ? " MPI rank" : " MPI ranks") +
                                  " and needs as many processes, but there " +
                                  (processes == 1 ? "is 1" : "are " + std::to_string(processes)) +
                                  "; run 'mpirun -n " + count + " " + command + "' or 'srun -n " +
                                  count + " " + command + "'"};
}

Error foreign_launcher(u64 processes) {
    return {ErrorKind::usage,
            "the launcher started " + std::to_string(processes) +
                " processes, but to MPI each of them is alone: it belongs to another MPI library "
                "than this program; use the mpirun of the library that it was built with"};
}

Deltas deltas_of(DeltaChoice choice) {
    switch (choice) {
        case DeltaChoice::mean:
            return Deltas::mean;
        case DeltaChoice::sample:
            return Deltas::sample;
        case DeltaChoice::exact:
            return Deltas::exact;
        default:
            return Deltas::none;
    }
}

ReplayOptions options_of(const ReplayArguments& arguments, bool force) {
    ReplayOptions options;
    options.deltas = deltas_of(arguments.deltas);
    options.seed = arguments.seed;
    options.compute_scale = arguments.compute_scale;
    options.sleep = arguments.sleep;
    options.bytes_scale = arguments.bytes_scale;
    options.repetitions = arguments.repetitions;
    options.warm_up = arguments.warm_up;
    options.timeout = arguments.timeout;
    options.verify = arguments.verify;
    options.skip_unsupported = arguments.skip_unsupported;
    options.scratch = arguments.scratch;
    options.record = arguments.record;
    options.producer = "tracefold " TRACEFOLD_VERSION;
    options.force = force;
    options.detailed_ranks = arguments.detailed_ranks;
    options.hosts = arguments.hosts;
    options.window = arguments.window;
    options.neighbour_bytes = arguments.neighbour_bytes;
    options.wildcards = arguments.wildcards;
    return options;
}

/// The file is opened before MPI is initialised, since it decides on the level of thread support.
struct OpenedFile {
    explicit OpenedFile(const std::string& path) {
        try {
            file = std::make_unique<TraceFile>(path);
            if (file->definitions().world_size() == 0) {
                throw Error(ErrorKind::unsupported, path + " holds no MPI program");
            }
        } catch (const Error& error) {
            failure = error;
        }
    }

    void check() const {
        if (failure) throw *failure;
    }

    std::unique_ptr<TraceFile> file;
    std::optional<Error> failure;
};

/// What can be said without the other processes.
void check_launch(const OpenedFile& opened, const std::string& input, const ReplayStart& start) {
    if (start.launch.by_launcher) return;
    opened.check();
    const u32 ranks = opened.file->definitions().world_size();
    if (ranks != 1) throw wrong_process_count(input, ranks, 1, start.command);
}

void check_processes(Communicator& comm, const OpenedFile& opened, const std::string& input,
                     const ReplayStart& start) {
    if (comm.size() == 1 && start.launch.size > 1) throw foreign_launcher(start.launch.size);
    agree(comm, [&opened] { opened.check(); });
    const u32 ranks = opened.file->definitions().world_size();
    if (static_cast<u32>(comm.size()) != ranks) {
        throw wrong_process_count(input, ranks, static_cast<u64>(comm.size()), start.command);
    }
}

ExitCode replay_together(Communicator& comm, const OpenedFile& opened,
                         const ReplayArguments& arguments, const ReplayStart& start, bool force,
                         Console& console) {
    ReplayOptions options = options_of(arguments, force);
    options.report = [&console](const std::string& sentence) { console.error(sentence); };
    options.give_up = [&comm] { comm.abort(exit_failure); };
    bool agreed = true;
    options.begins = [&agreed] { agreed = false; };
    try {
        check_processes(comm, opened, arguments.input, start);
        std::optional<ReportFiles> files;
        agree(comm, [&] {
            if (comm.rank() == 0) files.emplace(arguments, force);
        });
        const ReplayResult result = replay(*opened.file, comm, options);
        if (comm.rank() != 0) return exit_ok;
        report(arguments, result, console);
        files->write(arguments, result);
        return shortfalls(arguments, result).empty() ? exit_ok : exit_mismatch;
    } catch (const Error& error) {
        if (!agreed) {
            console.error(error.what());
            comm.abort(exit_code(error.kind()));
        }
        // All processes throw the same error; once is enough.
        if (start.launch.rank != 0 || comm.rank() != 0) return exit_code(error.kind());
        throw;
    }
}

}  // namespace

ExitCode run_replay(const ReplayArguments& arguments, const ReplayStart& start, bool force,
                    Console& console) {
    const OpenedFile opened(arguments.input);
    check_launch(opened, arguments.input, start);
    const bool threads = !opened.failure && calls_mpi_from_threads(*opened.file);
    const auto session = std::make_shared<MpiSession>(start.argc, start.argv, threads);
    MpiCommunicator comm(session);
    return replay_together(comm, opened, arguments, start, force, console);
}

}  // namespace tracefold
