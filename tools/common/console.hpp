// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "base/types.hpp"

#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace tracefold {

/// Looks up an environment variable; empty when it is not set. Everything in the project that
/// depends on the environment takes one of these, so that tests can bring their own.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// The variables of this process.
Environment process_environment();

/// Where temporary files go: TMPDIR, else /tmp.
std::string scratch_directory(const Environment& environment = process_environment());

/// What the variables of MPI launchers (Hydra, PMIx, Open MPI, Slurm, MVAPICH, Cray PALS) tell
/// about this process.
struct Launch {
    bool by_launcher = false;  ///< One process of a job that a launcher started.
    u64 size = 0;              ///< Processes that the launcher started; 0 if it does not say.
    u64 rank = 0;              ///< Which of them this one is; 0 if it does not say.
};

Launch read_launch(const Environment& environment);

/// That of this process as it was when this was called first: Open MPI's MPI_Init sets such
/// variables.
const Launch& own_launch();

/// Throws Error(usage) if a launcher started several processes of which MPI knows only this one:
/// each of them would do the whole work, and write the same outputs.
void refuse_foreign_launcher(const Launch& launch, int processes);

/// Whether this process should join an MPI job. A tool that starts without a launcher must not
/// initialise MPI: login nodes often forbid it.
bool launched_by_mpirun(const Environment& environment);
inline bool launched_by_mpirun() { return own_launch().by_launcher; }

/// What is known about the terminal when a tool starts.
struct Terminal {
    bool out_is_terminal = false;  ///< False in a job that a launcher started.
    bool err_is_terminal = false;
    bool colors_wanted = true;  ///< False under NO_COLOR or TERM=dumb.
    bool can_erase = true;      ///< False under TERM=dumb: no line can be rewritten.
    unsigned width = 80;        ///< Columns.
};

/// Asks the operating system about standard output and error, and the environment for NO_COLOR,
/// TERM and COLUMNS.
Terminal detect_terminal(const Environment& environment);

/// When to do something that suits a terminal but not a file.
enum class When { automatic, always, never };

enum class Style { plain, bold, dim, good, warning, error };

/// How much a tool says, and how.
struct ConsoleSettings {
    std::string tool;   ///< Name in front of warnings and errors.
    int rank = 0;       ///< Process of an MPI job; only rank 0 prints anything but errors.
    int verbosity = 0;  ///< -1: errors only; 1: details as well.
    bool json = false;  ///< Standard output carries one JSON value and nothing else.
    When color = When::automatic;
    When progress = When::automatic;
};

/// The only way by which a tool prints. Results go to the first stream (standard output), all that
/// is said about the work to the second (standard error). Not thread-safe.
class Console {
  public:
    /// Keeps references to both streams.
    Console(std::ostream& out, std::ostream& err, const Terminal& terminal,
            ConsoleSettings settings);

    /// The stream of results; on ranks other than 0 it swallows everything.
    std::ostream& out() { return *out_; }

    /// The line that ends a run; left out under --quiet and --json.
    void summary(std::string_view line);

    /// Unless --quiet: "TOOL: warning: TEXT".
    void warning(std::string_view text);

    /// Always: "TOOL: error: TEXT"; ranks other than 0 put "[rank N] " in front.
    void error(std::string_view text);

    /// With -v, one line.
    void detail(std::string_view text);

    /// Replaces the one line of progress by another; see Progress. Nothing without
    /// progress_wanted().
    void show_status(std::string_view line);

    /// Erases the line of progress. Every other message does so by itself.
    void clear_status();

    /// TEXT in colour, if standard output may have colour.
    [[nodiscard]] std::string paint(Style style, std::string_view text) const;

    [[nodiscard]] bool json() const { return settings_.json; }
    [[nodiscard]] bool progress_wanted() const;
    [[nodiscard]] bool status_is_erasable() const;
    [[nodiscard]] bool out_is_terminal() const { return terminal_.out_is_terminal; }
    [[nodiscard]] unsigned width() const { return terminal_.width; }

    /// Many lines on a terminal, one line elsewhere.
    [[nodiscard]] JsonLayout json_layout() const;

  private:
    [[nodiscard]] bool speaks(int verbosity) const;
    [[nodiscard]] bool may_color(bool is_terminal) const;
    void message(Style style, std::string_view label, std::string_view text);

    std::ostream null_{nullptr};
    std::ostream* out_;
    std::ostream& err_;
    Terminal terminal_;
    ConsoleSettings settings_;
    bool status_shown_ = false;
};

/// Shows what goes to standard output in a pager, as git does: the program that TRACEFOLD_PAGER or
/// PAGER names, else less. One at a time, in the main thread.
class Pager {
  public:
    /// Starts nothing yet.
    Pager(Environment environment, const Terminal& terminal);
    Pager(const Pager&) = delete;
    Pager& operator=(const Pager&) = delete;
    /// Closes standard output and waits until the reader has left the pager.
    ~Pager();

    /// From here on standard output, and standard error if it is a terminal, go to the pager. False
    /// if there is none: standard output is no terminal, or a dumb one, the variable is empty or
    /// names "cat", or the program cannot be started.
    bool start();

    /// What the destructor does, for a process that ends by a signal: the pager gets the signal as
    /// well and need not end by it, and leaving first would leave the terminal to two readers.
    static void wait();

  private:
    Environment environment_;
    Terminal terminal_;
    pid_t child_ = 0;
};

}  // namespace tracefold
