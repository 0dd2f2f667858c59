// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/replay_world.hpp"

#include "base/error.hpp"
#include "base/mpi.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <deque>
#include <thread>
#include <utility>

namespace tracefold {

namespace {

/// Set by ReplayWorld, before and after all threads of a replay.
MPI_Comm world_of_replay = MPI_COMM_NULL;

/// The free processes of each node, in the order of the first ones.
class FreeProcesses {
  public:
    explicit FreeProcesses(std::span<const std::string> hosts) {
        for (u32 process = 0; process < hosts.size(); ++process) {
            of(hosts[process]).push_back(process);
        }
    }

    /// Null if there is none on the node.
    std::optional<u32> take(const std::string& node) { return take(of(node)); }
    /// The next one, node after node.
    u32 take_next() {
        while (nodes_[next_].second.empty()) ++next_;
        return *take(nodes_[next_].second);
    }
    /// One of the next node that has any.
    u32 take_in_turn() {
        while (nodes_[next_].second.empty()) next_ = (next_ + 1) % nodes_.size();
        const u32 process = *take(nodes_[next_].second);
        next_ = (next_ + 1) % nodes_.size();
        return process;
    }

  private:
    using Processes = std::deque<u32>;

    Processes& of(const std::string& node) {
        const auto found =
            std::ranges::find(nodes_, node, &std::pair<std::string, Processes>::first);
        return found == nodes_.end() ? nodes_.emplace_back(node, Processes()).second
                                     : found->second;
    }
    static std::optional<u32> take(Processes& processes) {
        if (processes.empty()) return std::nullopt;
        const u32 process = processes.front();
        processes.pop_front();
        return process;
    }

    std::vector<std::pair<std::string, Processes>> nodes_;
    std::size_t next_ = 0;
};

}  // namespace

std::string node_name() {
    std::array<char, MPI_MAX_PROCESSOR_NAME> name{};
    int length = 0;
    PMPI_Get_processor_name(name.data(), &length);
    return {name.data(), static_cast<std::size_t>(length)};
}

std::vector<u32> processes_of_ranks(std::span<const std::string> hosts, u32 ranks,
                                    RankMapping mapping, std::span<const std::string> nodes) {
    if (hosts.size() < ranks) {
        throw Error(ErrorKind::usage, "the trace has {} MPI ranks, but there are {} processes",
                    ranks, hosts.size());
    }
    if (mapping == RankMapping::file && nodes.size() != ranks) {
        throw Error(ErrorKind::usage,
                    "the nodes file names {} nodes, but the trace has {} MPI ranks", nodes.size(),
                    ranks);
    }
    FreeProcesses free(hosts);
    std::vector<u32> processes;
    for (u32 rank = 0; rank < ranks; ++rank) {
        switch (mapping) {
            case RankMapping::given:
                processes.push_back(rank);
                break;
            case RankMapping::blocks:
                processes.push_back(free.take_next());
                break;
            case RankMapping::round_robin:
                processes.push_back(free.take_in_turn());
                break;
            case RankMapping::file: {
                const std::optional<u32> process = free.take(nodes[rank]);
                if (!process) {
                    throw Error(ErrorKind::usage,
                                "the nodes file wants rank {} on {}, where no process is left",
                                rank, nodes[rank]);
                }
                processes.push_back(*process);
            }
        }
    }
    return processes;
}

MPI_Comm replay_world() {
    return world_of_replay == MPI_COMM_NULL ? MPI_COMM_WORLD : world_of_replay;
}

ReplayWorld::ReplayWorld(std::optional<u32> rank) {
    check_mpi(PMPI_Comm_dup(MPI_COMM_WORLD, &all_), "MPI_Comm_dup");
    check_mpi(
        PMPI_Comm_split(all_, rank ? 0 : MPI_UNDEFINED, static_cast<int>(rank.value_or(0)), &part_),
        "MPI_Comm_split");
    if (part_ != MPI_COMM_NULL) {
        check_mpi(PMPI_Comm_set_name(part_, "tracefold world"), "MPI_Comm_set_name");
    }
    world_of_replay = part_;
}

ReplayWorld::~ReplayWorld() {
    world_of_replay = MPI_COMM_NULL;
    if (part_ != MPI_COMM_NULL) PMPI_Comm_free(&part_);
    MPI_Request request = MPI_REQUEST_NULL;
    PMPI_Ibarrier(all_, &request);
    for (int done = 0; done == 0;) {
        constexpr std::chrono::milliseconds kPause(1);
        if (PMPI_Test(&request, &done, MPI_STATUS_IGNORE) != MPI_SUCCESS) break;
        if (done == 0) std::this_thread::sleep_for(kPause);
    }
    PMPI_Comm_free(&all_);
}

}  // namespace tracefold
