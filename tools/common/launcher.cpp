// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/launcher.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace tracefold {
namespace {

constexpr std::array kProcessVariables = {"PMI_RANK",    "PMI_SIZE",
                                          "PMIX_RANK",   "OMPI_COMM_WORLD_RANK",
                                          "PALS_RANKID", "MV2_COMM_WORLD_RANK"};
constexpr std::array kRankVariables = {"PMI_RANK",    "PMIX_RANK",           "OMPI_COMM_WORLD_RANK",
                                       "PALS_RANKID", "MV2_COMM_WORLD_RANK", "SLURM_PROCID"};
constexpr std::array kSizeVariables = {"PMI_SIZE", "OMPI_COMM_WORLD_SIZE", "MV2_COMM_WORLD_SIZE",
                                       "SLURM_STEP_NUM_TASKS"};

// The script of a batch job has SLURM_PROCID too, although nobody started it as an MPI process;
// the number of tasks of a step is set by srun alone.
bool launched_by_srun(const Environment& environment) {
    return environment("SLURM_PROCID") && environment("SLURM_STEP_NUM_TASKS");
}

u64 number_or_zero(const std::string& text) {
    u64 number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    return error == std::errc() && end == text.data() + text.size() ? number : 0;
}

}  // namespace

Launch read_launch(const Environment& environment) {
    Launch launch;
    launch.by_launcher =
        launched_by_srun(environment) ||
        std::any_of(kProcessVariables.begin(), kProcessVariables.end(),
                    [&](const char* name) { return environment(name).has_value(); });
    if (!launch.by_launcher) return launch;
    for (const char* name : kSizeVariables) {
        if (const auto value = environment(name); value && launch.size == 0)
            launch.size = number_or_zero(*value);
    }
    for (const char* name : kRankVariables) {
        if (const auto value = environment(name)) {
            launch.rank = number_or_zero(*value);
            break;
        }
    }
    return launch;
}

const Launch& own_launch() {
    static const Launch launch = read_launch(process_environment());
    return launch;
}

void refuse_foreign_launcher(const Launch& launch, int processes) {
    if (processes != 1 || launch.size <= 1) return;
    throw Error(
        ErrorKind::usage,
        "the launcher started {} processes, but to MPI each of them is alone: it belongs to "
        "another MPI library than this program; use the mpirun of the library that it was "
        "built with",
        launch.size);
}

bool launched_by_mpirun(const Environment& environment) {
    return read_launch(environment).by_launcher;
}

}  // namespace tracefold
