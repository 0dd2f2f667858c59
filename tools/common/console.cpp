// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/console.hpp"

#include "base/error.hpp"
#include "common/text.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdlib>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <spawn.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
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

// SLURM_PROCID is also set in a batch script, outside of MPI; only srun sets a step's tasks.
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

/// COLUMNS, else the width that the terminal reports, else 80.
unsigned width_of(int file, const Environment& environment) {
    winsize size{};
    if (ioctl(file, TIOCGWINSZ, &size) != 0) size.ws_col = 0;
    for (const unsigned width : {width_from_columns(environment), unsigned{size.ws_col}}) {
        if (width >= kNarrowest) return width;
    }
    return Terminal().width;
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
    throw Error(ErrorKind::usage,
                "the launcher started {} processes, but in MPI each of them is alone: the launcher "
                "belongs to another MPI library than this program; use the mpirun of the library "
                "that it was built with",
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
    terminal.has_width = isatty(STDOUT_FILENO) != 0 || environment("COLUMNS").has_value();
    terminal.width = width_of(STDOUT_FILENO, environment);
    terminal.err_width = width_of(STDERR_FILENO, environment);
    return terminal;
}

namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";

constexpr std::array<std::string_view, 6> kEscapeSequences = {"",         "\x1b[1m",  "\x1b[2m",
                                                              "\x1b[32m", "\x1b[33m", "\x1b[1;31m"};

std::string painted(Style style, std::string_view text, bool color) {
    if (!color || style == Style::plain) return std::string(text);
    return std::string(kEscapeSequences[static_cast<std::size_t>(style)])
        .append(text)
        .append("\x1b[0m");
}

}  // namespace

void LineWrapper::finish() {
    if (!line_.empty()) *out_ << wrap_line(std::exchange(line_, {}), width_);
}

std::streambuf::int_type LineWrapper::overflow(int_type character) {
    const char byte = traits_type::to_char_type(character);
    return xsputn(&byte, 1) == 1 ? character : traits_type::eof();
}

std::streamsize LineWrapper::xsputn(const char* text, std::streamsize size) {
    std::string_view rest(text, static_cast<std::size_t>(size));
    for (std::size_t end; (end = rest.find('\n')) != rest.npos; rest.remove_prefix(end + 1)) {
        line_.append(rest, 0, end);
        if (line_.size() > width_) line_ = wrap_line(line_, width_);
        line_ += '\n';
        out_->write(line_.data(), static_cast<std::streamsize>(line_.size()));
        line_.clear();
    }
    line_ += rest;
    return *out_ ? size : 0;
}

int LineWrapper::sync() { return out_->flush() ? 0 : -1; }

Console::Console(std::ostream& out, std::ostream& err, const Terminal& terminal,
                 ConsoleSettings settings)
    : stream_(&out),
      out_(settings.rank == 0 ? &out : &null_),
      err_(err),
      terminal_(terminal),
      settings_(std::move(settings)),
      wrapper_(*out_, columns()) {}

void Console::set_rank(int rank) {
    settings_.rank = rank;
    out_ = rank == 0 ? stream_ : &null_;
    wrapper_.set_stream(*out_);
}

void Console::summary(std::string_view line) {
    if (!speaks(0) || settings_.json) return;
    clear_status();
    text() << printable(line) << '\n';
}

void Console::warning(std::string_view text) {
    if (speaks(0)) message(Style::warning, "warning: ", text);
}

void Console::error(std::string_view text) { message(Style::error, "error: ", text); }

void Console::detail(std::string_view text) {
    if (!speaks(1)) return;
    clear_status();
    err_ << printable(text) << '\n';
}

void Console::show_status(std::string_view line) {
    if (!progress_wanted()) return;
    if (!status_is_erasable()) {
        err_ << printable(line) << '\n' << std::flush;
        return;
    }
    // Leaves the last column free: terminals wrap after writing it.
    err_ << kEraseLine << fit(printable(line), terminal_.err_width - 1) << std::flush;
    status_shown_ = true;
}

void Console::clear_status() {
    if (!status_shown_) return;
    err_ << kEraseLine << std::flush;
    status_shown_ = false;
}

std::string Console::paint(Style style, std::string_view text) const {
    return painted(style, printable(text), may_color(terminal_.out_is_terminal));
}

bool Console::progress_wanted() const {
    if (!speaks(0) || settings_.progress == When::never) return false;
    return settings_.progress == When::always || status_is_erasable();
}

bool Console::status_is_erasable() const {
    return terminal_.err_is_terminal && terminal_.can_erase;
}

std::size_t Console::columns() const {
    const bool is_limited = terminal_.has_width && !settings_.wide;
    return is_limited ? terminal_.width : std::numeric_limits<std::size_t>::max();
}

JsonLayout Console::json_layout() const {
    return terminal_.out_is_terminal ? JsonLayout::pretty : JsonLayout::one_line;
}

bool Console::speaks(int verbosity) const {
    return settings_.rank == 0 && settings_.verbosity >= verbosity;
}

bool Console::may_color(bool is_terminal) const {
    if (settings_.color != When::automatic) return settings_.color == When::always;
    return is_terminal && terminal_.colors_wanted;
}

void Console::message(Style style, std::string_view label, std::string_view text) {
    clear_status();
    // One write: other ranks may write at the same time.
    std::string line;
    if (settings_.rank != 0) line = "[rank " + std::to_string(settings_.rank) + "] ";
    line += settings_.tool + ": " + painted(style, label, may_color(terminal_.err_is_terminal));
    line.append(printable(text)).push_back('\n');
    err_ << line << std::flush;
}

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

/// Options of less: exit if the text fits on the screen, keep colours.
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

/// Returns 0 if the program cannot be started.
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
