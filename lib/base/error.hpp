// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <stdexcept>
#include <string>

#include <fmt/core.h>

namespace tracefold {

/// The kind of an error. It decides the exit code of a tool: `usage` 2, `mismatch` 3, all others 1.
enum class ErrorKind { usage, io, corrupt, unsupported, mismatch, internal };

/// The one exception that crosses module borders. Its message is one sentence for the user: what
/// failed, where (file, section, location, byte), and what to try.
class TRACEFOLD_API Error : public std::runtime_error {
  public:
    Error(ErrorKind kind, const std::string& message) : std::runtime_error(message), kind_(kind) {}
    /// Formats the message with fmt::format().
    template <class First, class... Rest>
    Error(ErrorKind kind, fmt::format_string<const First&, const Rest&...> format,
          const First& first, const Rest&... rest)
        : Error(kind, fmt::format(format, first, rest...)) {}

    [[nodiscard]] ErrorKind kind() const { return kind_; }

    /// Returns the same error with the place in front: "PLACE: message".
    [[nodiscard]] Error in(const std::string& place) const {
        return {kind_, "{}: {}", place, what()};
    }

  private:
    ErrorKind kind_;
};

}  // namespace tracefold
