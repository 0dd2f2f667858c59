// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/run.hpp"

#include "base/communicator.hpp"
#include "base/mpi.hpp"
#include "base/parallel.hpp"
#include "common/interruption.hpp"
#include "replay/replay.hpp"
#include "replay/replay_input.hpp"
#include "replay/report.hpp"
#include "replay/statistics.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>

#include <fmt/core.h>

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

/// Checks that need no other process.
void check_launch(const ReplayInput& input, const std::string& path, const ReplayStart& start) {
    if (start.launch.by_launcher) return;
    input.check();
    if (input.ranks() != 1) throw wrong_process_count(path, input.ranks(), 1, start.command);
}

void check_processes(Communicator& comm, const ReplayInput& input, const std::string& path,
                     const ReplayStart& start) {
    refuse_foreign_launcher(start.launch, comm.size());
    agree(comm, [&input] { input.check(); });
    if (static_cast<u32>(comm.size()) != input.ranks()) {
        throw wrong_process_count(path, input.ranks(), static_cast<u64>(comm.size()),
                                  start.command);
    }
}

/// Ends the process with a sentence unless destroyed in time.
class TimeLimit {
  public:
    TimeLimit(double seconds, bool tells, Console& console) {
        if (seconds <= 0) return;
        thread_ = start_thread([this, seconds, tells, &console] {
            std::unique_lock guard(mutex_);
            // The others give the first one time: the launcher ends all once a process has ended.
            const std::chrono::duration<double> limit(seconds + (tells ? 0 : 1));
            if (wake_.wait_for(guard, limit, [this] { return stop_; })) return;
            if (tells) {
                console.error(fmt::format(
                    "the replay did not end within its time limit of {} s; it was in {}", seconds,
                    in_mpi_init ? "MPI_Init" : "its calls"));
            }
            std::_Exit(exit_failure);
        });
    }
    TimeLimit(const TimeLimit&) = delete;
    TimeLimit& operator=(const TimeLimit&) = delete;
    ~TimeLimit() {
        {
            const std::lock_guard guard(mutex_);
            stop_ = true;
        }
        wake_.notify_all();
        if (thread_.joinable()) thread_.join();
    }

    std::atomic<bool> in_mpi_init{true};

  private:
    std::mutex mutex_;
    std::condition_variable wake_;
    bool stop_ = false;
    std::thread thread_;
};

ExitCode replay_together(Communicator& comm, ReplayInput& input, const ReplayArguments& arguments,
                         const ReplayStart& start, bool force, Console& console) {
    ReplayOptions options = arguments.options;
    options.producer = "tracefold " TRACEFOLD_VERSION;
    options.force = force;
    options.report = [&console](const std::string& sentence) { console.error(sentence); };
    options.give_up = [&comm] { comm.abort(exit_failure); };
    bool agreed = true;
    options.begins = [&agreed] { agreed = false; };
    try {
        check_processes(comm, input, arguments.input.path, start);
        TraceFile& file = input.open(comm, console);
        std::optional<ReportFiles> files;
        on_first(comm, [&] { files.emplace(arguments.reports, force); });
        const ReplayResult result = replay_trace(file, comm, options);
        if (comm.rank() != 0) return exit_ok;
        report(arguments, result, console);
        files->write([&](JsonWriter& json) { write_json(json, arguments, result); },
                     [&](std::ostream& out) { write_csv(out, arguments, result); },
                     [&](std::ostream& out) { write_html(out, arguments, result); });
        return shortfalls(arguments, result).empty() ? exit_ok : exit_mismatch;
    } catch (const Error& error) {
        // All processes throw a collective error; one reports it. It does so while the others wait
        // for it in MPI_Finalize: once a process ends with such an exit code, Open MPI's launcher
        // kills the rest.
        const bool tells = !agreed || (start.launch.rank == 0 && comm.rank() == 0);
        if (tells) {
            Interruption::begin_reason();
            console.error(error.what());
        }
        if (!agreed) comm.abort(exit_code(error.kind()));
        return exit_code(error.kind());
    }
}

}  // namespace

ExitCode run_replay(const ReplayArguments& arguments, const ReplayStart& start, bool force,
                    Console& console) {
    const u64 started = clock_now();
    TimeLimit limit(arguments.options.time_limit, start.launch.rank == 0, console);
    ReplayInput input(arguments.input, console);
    check_launch(input, arguments.input.path, start);
    const auto session =
        std::make_shared<MpiSession>(start.argc, start.argv, input.may_have_threads());
    MpiCommunicator comm(session);
    limit.in_mpi_init = false;
    ReplayArguments timed = arguments;
    timed.options.started = started;
    return replay_together(comm, input, timed, start, force, console);
}

}  // namespace tracefold
