// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/terminal.hpp"

#include "common/launcher.hpp"

#include <charconv>

#include <sys/ioctl.h>
#include <unistd.h>

namespace tracefold {
namespace {

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
