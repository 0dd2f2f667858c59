// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/environment.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>

#include <sys/ioctl.h>
#include <unistd.h>

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

constexpr unsigned kNarrowest = 20;

unsigned width_from_columns(const Environment& environment) {
    unsigned width = 0;
    if (const auto text = environment("COLUMNS"))
        std::from_chars(text->data(), text->data() + text->size(), width);
    return width;
}

unsigned width_from_system() {
    winsize size{};
    for (const int file : {STDERR_FILENO, STDOUT_FILENO}) {
        if (ioctl(file, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) return size.ws_col;
    }
    return 0;
}

}  // namespace

Environment process_environment() {
    return [](const std::string& name) -> std::optional<std::string> {
        const char* value = std::getenv(name.c_str());
        if (value == nullptr) return std::nullopt;
        return value;
    };
}

std::string scratch_directory(const Environment& environment) {
    const std::optional<std::string> chosen = environment("TMPDIR");
    return chosen.has_value() && !chosen->empty() ? *chosen : "/tmp";
}

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

Terminal detect_terminal(const Environment& environment) {
    Terminal terminal;
    // Open MPI's launcher gives processes a terminal even if its own output goes to a file.
    terminal.out_is_terminal = isatty(STDOUT_FILENO) != 0 && !launched_by_mpirun(environment);
    terminal.err_is_terminal = isatty(STDERR_FILENO) != 0;
    const bool dumb = environment("TERM") == "dumb";
    const auto no_color = environment("NO_COLOR");
    terminal.colors_wanted = !dumb && (!no_color || no_color->empty());
    terminal.can_erase = !dumb;
    for (const unsigned width : {width_from_columns(environment), width_from_system()}) {
        if (width >= kNarrowest) {
            terminal.width = width;
            break;
        }
    }
    return terminal;
}

}  // namespace tracefold
