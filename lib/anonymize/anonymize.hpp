// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "anonymize/neutral_names.hpp"
#include "context_mixing/section_coder.hpp"
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
/// properties. Files that came with the archive are left out. Events and times stay byte by byte,
/// and so do local definitions without strings. Memory: the names and definitions, and the times of
/// one location.
class Anonymizer {
  public:
    /// Finds out what is to be replaced. The file must outlive this object. Throws Error(corrupt).
    explicit Anonymizer(TraceFile& file);

    [[nodiscard]] const Anonymity& result() const { return result_; }

    /// Writes the anonymous file; it appears whole or not at all. Throws Error(io).
    void write(const std::string& output, bool force, int level = 19);

  private:
    void add_local_definitions();
    [[nodiscard]] StoredSection renamed_local_definitions(const Packing& packing);
    void rename_archive();

    TraceFile& file_;
    NeutralNames names_;
    ArchiveInfo archive_;
    bool has_local_strings_ = false;
    Anonymity result_;
};

}  // namespace tracefold
