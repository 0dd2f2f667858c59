// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/pager.hpp"

#include <cerrno>
#include <csignal>
#include <string>
#include <utility>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tracefold {

namespace {

volatile std::sig_atomic_t pager_child = 0;
volatile std::sig_atomic_t errors_in_pager = 0;

void wait_for_pager() {
    ::close(STDOUT_FILENO);
    if (errors_in_pager != 0) ::close(STDERR_FILENO);
    while (::waitpid(static_cast<pid_t>(pager_child), nullptr, 0) < 0 && errno == EINTR) {
    }
}

std::string chosen_program(const Environment& environment) {
    for (const char* name : {"TRACEFOLD_PAGER", "PAGER"}) {
        if (const auto program = environment(name)) return *program;
    }
    return "less";
}

/// less ends at once if all fits on the screen, and keeps colours.
std::vector<std::string> pager_environment(const Environment& environment) {
    std::vector<std::string> variables;
    for (char** variable = environ; *variable != nullptr; ++variable) {
        variables.emplace_back(*variable);
    }
    if (!environment("LESS")) variables.emplace_back("LESS=FRX");
    return variables;
}

std::vector<char*> pointers(std::vector<std::string>& words) {
    std::vector<char*> result;
    for (std::string& word : words) result.push_back(word.data());
    result.push_back(nullptr);
    return result;
}

/// 0 if it cannot be started.
pid_t start_program(std::vector<std::string> words, std::vector<std::string> variables,
                    const int (&ends)[2]) {
    posix_spawn_file_actions_t actions{};
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    for (const int end : ends) posix_spawn_file_actions_addclose(&actions, end);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, words.front().c_str(), &actions, nullptr,
                                    pointers(words).data(), pointers(variables).data());
    posix_spawn_file_actions_destroy(&actions);
    return failed == 0 ? child : 0;
}

}  // namespace

Pager::Pager(Environment environment, const Terminal& terminal)
    : environment_(std::move(environment)), terminal_(terminal) {}

bool Pager::start() {
    const std::string program = chosen_program(environment_);
    if (!terminal_.out_is_terminal || !terminal_.can_erase) return false;
    if (program.empty() || program == "cat") return false;
    int ends[2];
    if (::pipe(ends) != 0) return false;
    const bool plain = program.find_first_not_of("abcdefghijklmnopqrstuvwxyz") == std::string::npos;
    std::vector<std::string> words = {program};
    if (!plain) words = {"sh", "-c", program};
    child_ = start_program(std::move(words), pager_environment(environment_), ends);
    if (child_ != 0) {
        ::dup2(ends[1], STDOUT_FILENO);
        errors_in_pager = terminal_.err_is_terminal ? 1 : 0;
        if (terminal_.err_is_terminal) ::dup2(ends[1], STDERR_FILENO);
        pager_child = child_;
    }
    for (const int end : ends) ::close(end);
    return child_ != 0;
}

Pager::~Pager() {
    if (child_ == 0) return;
    wait();
    pager_child = 0;
}

void Pager::wait() {
    if (pager_child != 0) wait_for_pager();
}

}  // namespace tracefold
