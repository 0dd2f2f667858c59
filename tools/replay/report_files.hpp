// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/json_writer.hpp"
#include "io/file.hpp"

#include <deque>
#include <functional>
#include <ostream>
#include <string>
#include <vector>

namespace tracefold {

/// The files of a report, each in the form that its name ends in: .json, .csv, or else .html. They
/// are opened before the work that they report, so that it is not done in vain.
class ReportFiles {
  public:
    /// Throws Error(io) if one exists and `force` is not set, or cannot be written.
    ReportFiles(const std::vector<std::string>& names, bool force);

    /// Writes all. Throws Error(io).
    void write(const std::function<void(JsonWriter&)>& json,
               const std::function<void(std::ostream&)>& csv,
               const std::function<void(std::ostream&)>& html);

  private:
    std::vector<std::string> names_;  ///< a symbolic link may lead to a file of another name
    std::deque<AtomicFile> files_;
};

}  // namespace tracefold
