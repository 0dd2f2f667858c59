// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "common/console.hpp"

#include "common/text.hpp"

#include <array>
#include <utility>

namespace tracefold {
namespace {

constexpr std::string_view kEraseLine = "\r\x1b[K";

/// What switches a style on, by style.
constexpr std::array<std::string_view, 6> kEscapeSequences = {"",         "\x1b[1m",  "\x1b[2m",
                                                              "\x1b[32m", "\x1b[33m", "\x1b[1;31m"};

std::string painted(Style style, std::string_view text, bool color) {
    if (!color || style == Style::plain) return std::string(text);
    return std::string(kEscapeSequences[static_cast<std::size_t>(style)])
        .append(text)
        .append("\x1b[0m");
}

}  // namespace

Console::Console(std::ostream& out, std::ostream& err, const Terminal& terminal,
                 ConsoleSettings settings)
    : out_(settings.rank == 0 ? &out : &null_),
      err_(err),
      terminal_(terminal),
      settings_(std::move(settings)) {}

void Console::summary(std::string_view line) {
    if (!speaks(0) || settings_.json) return;
    clear_status();
    out() << printable(line) << '\n';
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
    // The last column stays free: terminals wrap when it is written.
    err_ << kEraseLine << fit(printable(line), terminal_.width - 1) << std::flush;
    status_shown_ = true;
}

void Console::clear_status() {
    if (!status_shown_) return;
    err_ << kEraseLine << std::flush;
    status_shown_ = false;
}

std::string Console::paint(Style style, std::string_view text) const {
    return painted(style, text, may_color(terminal_.out_is_terminal));
}

bool Console::progress_wanted() const {
    if (!speaks(0) || settings_.progress == When::never) return false;
    return settings_.progress == When::always || status_is_erasable();
}

bool Console::status_is_erasable() const {
    return terminal_.err_is_terminal && terminal_.can_erase;
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
    // In one piece, since other ranks may write at the same time.
    std::string line;
    if (settings_.rank != 0) line = "[rank " + std::to_string(settings_.rank) + "] ";
    line += settings_.tool + ": " + painted(style, label, may_color(terminal_.err_is_terminal));
    line.append(printable(text)).push_back('\n');
    err_ << line << std::flush;
}

}  // namespace tracefold
