// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "anonymize/neutral_names.hpp"
#include "trace/trace_file.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// The property of an archive that is a part of a trace; it tells which part, perhaps by names.
inline constexpr std::string_view kPartProperty = "TRACEFOLD::CUT";

/// What stands for what in an anonymous trace.
struct Anonymity {
    std::vector<Replacement> replaced;
    std::vector<std::string> dropped_files;  ///< companion and extra files, by path
};

/// Replaces the names in a folded file that are no vocabulary (see is_vocabulary()) by neutral
/// ones: strings of the definitions, the archive's name, machine, creator, description and
/// properties. Files that came with the archive are left out. Events, local definitions and times
/// stay byte by byte. Memory: the definitions, and the times of one location.
class Anonymizer {
  public:
    /// Finds out what is to be replaced. The file must outlive this object. Throws
    /// Error(unsupported) if a location has strings of its own.
    explicit Anonymizer(TraceFile& file);

    [[nodiscard]] const Anonymity& result() const { return result_; }

    /// Writes the anonymous file; it appears whole or not at all. Throws Error(io).
    void write(const std::string& output, bool force, int level = 19);

  private:
    void refuse_local_strings();
    void rename_archive();

    TraceFile& file_;
    NeutralNames names_;
    ArchiveInfo archive_;
    Anonymity result_;
};

}  // namespace tracefold
