// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/environment.hpp"
#include "core/json_writer.hpp"

#include <ostream>
#include <string>
#include <string_view>

namespace tracefold {

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

}  // namespace tracefold
