// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/run.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/file.hpp"
#include "base/mpi.hpp"
#include "base/parallel.hpp"
#include "common/interruption.hpp"
#include "replay/replay.hpp"
#include "replay/replay_input.hpp"
#include "replay/report.hpp"
#include "replay/statistics.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

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
    input.expect_alike(comm);
    if (static_cast<u32>(comm.size()) < input.ranks()) {
        throw wrong_process_count(path, input.ranks(), static_cast<u64>(comm.size()),
                                  start.command);
    }
}

std::vector<std::string> read_nodes(const std::string& name) {
    std::vector<std::string> nodes;
    std::istringstream lines(read_whole_file(name));
    for (std::string node; lines >> node;) nodes.push_back(node);
    return nodes;
}

/// The process of each rank. Collective.
std::vector<u32> map_ranks(Communicator& comm, const ReplayInput& input,
                           const ReplayArguments& arguments) {
    const std::vector<std::string> hosts = comm.gather(node_name(), 0);
    std::string packed;
    on_first(comm, [&] {
        std::vector<std::string> nodes;
        if (arguments.mapping == RankMapping::file) nodes = read_nodes(arguments.nodes_file);
        packed = to_bytes(processes_of_ranks(hosts, input.ranks(), arguments.mapping, nodes));
    });
    return from_bytes<std::vector<u32>>(comm.broadcast(packed, 0), "the mapping of ranks");
}

/// True if all processes replay the rank that they are.
bool is_identity(const std::vector<u32>& processes, int size) {
    if (processes.size() != static_cast<std::size_t>(size)) return false;
    for (u32 rank = 0; rank < processes.size(); ++rank) {
        if (processes[rank] != rank) return false;
    }
    return true;
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
                         bool force, Console& console) {
    ReplayOptions options = arguments.options;
    options.producer = "tracefold " TRACEFOLD_VERSION;
    options.force = force;
    options.report = [&console](const std::string& sentence) { console.error(sentence); };
    options.give_up = [&comm] { comm.abort(exit_failure); };
    bool agreed = true;
    options.begins = [&agreed] { agreed = false; };
    try {
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
        const bool tells = !agreed || comm.rank() == 0;
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
    ReplayArguments complete = arguments;
    complete.options.started = started;
    std::vector<u32> processes;
    try {
        check_processes(comm, input, arguments.input.path, start);
        processes = map_ranks(comm, input, arguments);
    } catch (const Error& error) {
        if (start.launch.rank == 0 && comm.rank() == 0) {
            Interruption::begin_reason();
            console.error(error.what());
        }
        return exit_code(error.kind());
    }
    if (is_identity(processes, comm.size())) {
        return replay_together(comm, input, complete, force, console);
    }
    complete.idle_processes = static_cast<u64>(comm.size()) - processes.size();
    const auto place = std::ranges::find(processes, static_cast<u32>(comm.rank()));
    std::optional<u32> rank;
    if (place != processes.end()) rank = static_cast<u32>(place - processes.begin());
    const ReplayWorld world(rank);
    const std::unique_ptr<MpiCommunicator> part = MpiCommunicator::part(session, rank);
    if (part == nullptr) return exit_ok;
    console.set_rank(part->rank());
    return replay_together(*part, input, complete, force, console);
}

}  // namespace tracefold
