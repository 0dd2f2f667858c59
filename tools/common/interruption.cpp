// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/interruption.hpp"

#include "base/file.hpp"
#include "base/file_descriptor.hpp"
#include "base/parallel.hpp"
#include "base/publication.hpp"
#include "base/temporary.hpp"

#include <atomic>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/types.h>
#include <unistd.h>

namespace tracefold {

namespace {

constexpr char kNoSignal = 0;
constexpr char kForwarded = 0x40;  ///< flag in the byte of a signal number

std::array<int, 2> signal_pipe = {-1, -1};  ///< pipe from the handler to the watcher
std::atomic<bool> ending = false;
std::atomic<bool> was_told = false;           ///< a signal has arrived
std::atomic<bool> was_told_directly = false;  ///< a signal has arrived that no other rank forwarded
std::atomic<bool> has_reason = false;         ///< the process ends for another reason
static_assert(std::atomic<bool>::is_always_lock_free, "a handler of signals writes it");

void tell(char signal) {
    while (::write(signal_pipe[1], &signal, 1) < 0 && errno == EINTR) {
    }
}

void note(int signal, siginfo_t* origin, void*) {
    const int code = errno;
    const bool forwarded = origin->si_code == SI_QUEUE;
    // A launcher's signal may reach this rank after another rank has forwarded it.
    if (!forwarded && was_told_directly.exchange(true)) {
        std::signal(signal, SIG_DFL);
        std::raise(signal);
    } else if (!was_told.exchange(true)) {
        ending = true;
        tell(static_cast<char>(signal | (forwarded ? kForwarded : 0)));
    }
    errno = code;
}

char next_signal() {
    char signal = kNoSignal;
    while (::read(signal_pipe[0], &signal, 1) < 0 && errno == EINTR) {
    }
    return signal;
}

std::string name_of_signal(int signal) {
    return signal == SIGINT ? "SIGINT" : signal == SIGTERM ? "SIGTERM" : "SIGHUP";
}

namespace fs = std::filesystem;

/// 0 if the process has ended. The name in parentheses may contain any characters.
pid_t parent_of(const fs::path& process) {
    std::string text;
    std::getline(std::ifstream(process / "stat"), text);
    const std::size_t name_end = text.rfind(')');
    if (name_end == std::string::npos || name_end + 4 > text.size()) return 0;
    pid_t parent = 0;
    std::from_chars(text.data() + name_end + 4, text.data() + text.size(), parent);
    return parent;
}

}  // namespace

Interruption::Interruption(std::function<void(const InterruptedEnd&)> at_end)
    : at_end_(std::move(at_end)) {
    ending = false;
    was_told = false;
    was_told_directly = false;
    has_reason = false;
    if (::pipe2(signal_pipe.data(), O_CLOEXEC) != 0)
        throw_io_error("cannot make", "a pipe for signals", errno);
    watcher_ = start_thread([this] { watch(); });
    struct sigaction action {};
    action.sa_sigaction = note;
    action.sa_flags = SA_SIGINFO | SA_RESTART;
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals[i], nullptr, &before_[i]);
        // Ignored signals, as under nohup, stay ignored.
        if (before_[i].sa_handler != SIG_IGN) ::sigaction(kSignals[i], &action, nullptr);
    }
}

Interruption::~Interruption() {
    for (std::size_t i = 0; i < kSignals.size(); ++i) {
        ::sigaction(kSignals[i], &before_[i], nullptr);
    }
    wait_if_ending();
    tell(kNoSignal);
    watcher_.join();
    for (const int end : signal_pipe) ::close(end);
}

void Interruption::wait_if_ending() {
    while (ending) std::this_thread::sleep_for(std::chrono::milliseconds(1));
}

void Interruption::begin_reason() {
    wait_if_ending();
    has_reason = true;
}

void Interruption::watch() {
    for (char signal = next_signal(); signal != kNoSignal; signal = next_signal()) {
        end_by(signal & ~kForwarded, (signal & kForwarded) != 0);
    }
}

void Interruption::end_by(int signal, bool forwarded) {
    auto lock = hold_temporaries();
    if (Publication::is_done()) {
        ending = false;
        return;
    }
    remove_temporaries(std::move(lock));
    const std::string sentence = "interrupted by " + name_of_signal(signal) +
                                 "; no output was written, temporary files are removed";
    at_end_({signal, forwarded, has_reason ? std::string() : sentence});
    std::signal(signal, SIG_DFL);
    ::kill(::getpid(), signal);
    ::pause();
}

void forward_to_siblings(int signal) {
    std::error_code error;
    const fs::path program = program_path();
    if (program.empty()) return;
    for (fs::directory_iterator entry("/proc", error), end; !error && entry != end;
         entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        pid_t process = 0;
        const auto [stop, wrong] = std::from_chars(name.data(), name.data() + name.size(), process);
        if (wrong != std::errc() || stop != name.data() + name.size() || process == ::getpid())
            continue;
        std::error_code hidden;
        if (parent_of(entry->path()) != ::getppid() ||
            fs::read_symlink(entry->path() / "exe", hidden) != program)
            continue;
        ::sigqueue(process, signal, {});
    }
}

}  // namespace tracefold
