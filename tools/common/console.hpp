// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/json_writer.hpp"
#include "base/types.hpp"

#include <functional>
#include <optional>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>

#include <sys/types.h>

namespace tracefold {

/// Looks up an environment variable; empty if it is not set. All code that depends on the
/// environment takes this function: tests supply their own.
using Environment = std::function<std::optional<std::string>(const std::string& name)>;

/// Variables of this process.
Environment process_environment();

/// Directory of temporary files: TMPDIR, else /tmp.
std::string scratch_directory(const Environment& environment = process_environment());

/// Properties of this process from variables of Hydra, PMIx, Open MPI, Slurm, MVAPICH, Cray PALS.
struct Launch {
    bool by_launcher = false;  ///< Process of a job that a launcher started.
    u64 size = 0;              ///< Number of processes; 0 if unknown.
    u64 rank = 0;              ///< Rank of this process; 0 if unknown.
};

Launch read_launch(const Environment& environment);

/// The launch of this process, as of the first call: Open MPI's MPI_Init sets such variables.
const Launch& own_launch();

/// Throws Error(usage) if a launcher started several processes but MPI knows only this one: each
/// would do all the work and write the same outputs.
void refuse_foreign_launcher(const Launch& launch, int processes);

/// Whether this process should join an MPI job. Without a launcher, a tool must not initialise MPI:
/// login nodes often forbid it.
bool launched_by_mpirun(const Environment& environment);
inline bool launched_by_mpirun() { return own_launch().by_launcher; }

/// Properties of the terminal at the start of a tool.
struct Terminal {
    bool out_is_terminal = false;  ///< False in a job that a launcher started.
    bool err_is_terminal = false;
    bool colors_wanted = true;  ///< False under NO_COLOR or TERM=dumb.
    bool can_erase = true;      ///< False under TERM=dumb: lines cannot be rewritten.
    bool has_width = true;      ///< False for pipes and files without COLUMNS.
    unsigned width = 80;        ///< Columns of standard output; 80 if it has no width.
    unsigned err_width = 80;    ///< Columns of standard error.
};

/// Determines the terminal from the operating system and NO_COLOR, TERM and COLUMNS, which comes
/// before the width that the terminal reports.
Terminal detect_terminal(const Environment& environment);

/// When to use terminal features.
enum class When { automatic, always, never };

enum class Style { plain, bold, dim, good, warning, error };

/// Verbosity and format of a tool's output.
struct ConsoleSettings {
    std::string tool;   ///< Prefix of warnings and errors.
    int rank = 0;       ///< Process of an MPI job; other ranks than 0 print only errors.
    int verbosity = 0;  ///< -1: errors only; 1: with details.
    bool json = false;  ///< Standard output is a single JSON value.
    bool wide = false;  ///< Lines of text have any length.
    When color = When::automatic;
    When progress = When::automatic;
};

/// Passes text to a stream by lines; lines of more than a width are wrapped (wrap_line()).
class LineWrapper : public std::streambuf {
  public:
    LineWrapper(std::ostream& out, std::size_t width) : out_(&out), width_(width) {}
    /// Passes on what is not a whole line yet.
    void finish();
    void set_stream(std::ostream& out) { out_ = &out; }

  protected:
    int_type overflow(int_type character) override;
    std::streamsize xsputn(const char* text, std::streamsize size) override;
    int sync() override;

  private:
    std::ostream* out_;
    std::size_t width_;
    std::string line_;
};

/// All output of a tool. Results go to the first stream (standard output), messages to the second
/// (standard error). Not thread-safe.
class Console {
  public:
    /// Keeps references to both streams.
    Console(std::ostream& out, std::ostream& err, const Terminal& terminal,
            ConsoleSettings settings);
    Console(const Console&) = delete;
    Console& operator=(const Console&) = delete;

    /// The stream of results for programs; discards output on ranks other than 0.
    std::ostream& out() {
        wrapper_.finish();
        return *out_;
    }
    /// The stream of results for readers: lines that are wider than the terminal are wrapped. out()
    /// passes on the last one, if it has no end.
    std::ostream& text() { return text_; }
    /// The process takes the part of another rank.
    void set_rank(int rank);

    /// Prints the final line; not with --quiet or --json.
    void summary(std::string_view line);

    /// Prints "TOOL: warning: TEXT", unless --quiet.
    void warning(std::string_view text);

    /// Prints "TOOL: error: TEXT"; ranks other than 0 prepend "[rank N] ".
    void error(std::string_view text);

    /// Prints a line with -v.
    void detail(std::string_view text);

    /// Replaces the progress line, see Progress. No effect without progress_wanted().
    void show_status(std::string_view line);

    /// Erases the progress line, as all other messages do.
    void clear_status();

    /// printable() TEXT, coloured if standard output supports it.
    [[nodiscard]] std::string paint(Style style, std::string_view text) const;

    [[nodiscard]] bool json() const { return settings_.json; }
    [[nodiscard]] bool progress_wanted() const;
    [[nodiscard]] bool status_is_erasable() const;
    [[nodiscard]] bool out_is_terminal() const { return terminal_.out_is_terminal; }
    [[nodiscard]] unsigned width() const { return terminal_.width; }
    /// The width that lines of text must fit in.
    [[nodiscard]] std::size_t columns() const;

    /// Several lines on a terminal, one line elsewhere.
    [[nodiscard]] JsonLayout json_layout() const;

  private:
    [[nodiscard]] bool speaks(int verbosity) const;
    [[nodiscard]] bool may_color(bool is_terminal) const;
    void message(Style style, std::string_view label, std::string_view text);

    std::ostream null_{nullptr};
    std::ostream* stream_;  ///< of results, on rank 0
    std::ostream* out_;
    std::ostream& err_;
    Terminal terminal_;
    ConsoleSettings settings_;
    LineWrapper wrapper_;
    std::ostream text_{&wrapper_};
    bool status_shown_ = false;
};

/// Shows standard output in a pager, as git does: the program in TRACEFOLD_PAGER or PAGER, else
/// less. One instance at a time, in the main thread.
class Pager {
  public:
    /// Does not start the pager.
    Pager(Environment environment, const Terminal& terminal);
    Pager(const Pager&) = delete;
    Pager& operator=(const Pager&) = delete;
    /// Closes standard output and waits for the pager to end.
    ~Pager();

    /// Redirects standard output, and standard error if it is a terminal, to the pager. False
    /// without a pager: standard output is no terminal or a dumb one, the variable is empty or
    /// "cat", or the program cannot be started.
    bool start();

    /// Waits like the destructor, for a process that ends by a signal: the pager may survive the
    /// signal, and exiting first would leave two readers on the terminal.
    static void wait();

  private:
    Environment environment_;
    Terminal terminal_;
    pid_t child_ = 0;
};

}  // namespace tracefold
