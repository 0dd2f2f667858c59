// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "common/console.hpp"

#include <sstream>

namespace tracefold {

/// A console whose results are kept as plain text; what is said about the work is lost.
class TextConsole {
  public:
    Console& console() { return console_; }
    [[nodiscard]] std::string text() const { return out_.str(); }

  private:
    std::ostringstream out_;
    std::ostream silent_{nullptr};
    Console console_{out_, silent_, Terminal{}, ConsoleSettings{}};
};

}  // namespace tracefold
