// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "file/section_coder.hpp"
#include "file/trace_file.hpp"
#include "model/record_batch.hpp"

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A name and its replacement.
struct Replacement {
    std::string neutral;  ///< "function_3"
    std::string original;
};

/// Replaces the names of a trace that are no vocabulary by neutral ones: by the role of their first
/// use, numbered in definition order: the same trace always gets the same names. Memory: the names.
class NeutralNames {
  public:
    /// Pass definitions in source order: the global ones, then, after next_ids() each time, the
    /// local ones of every location, then finish().
    void add(const RecordBatch& batch);
    /// The following string ids belong to another location.
    void next_ids();
    void finish();

    /// The replacement of a string of the definitions: itself if it is vocabulary.
    [[nodiscard]] const std::string& of(const std::string& original) const;
    /// The replacement of a name outside of the definitions, named by `role`.
    const std::string& of(const std::string& original, const std::string& role);

    /// Copies definitions with neutral names.
    [[nodiscard]] RecordBatch renamed(const RecordBatch& batch) const;

    /// In the order of assignment.
    [[nodiscard]] const std::vector<Replacement>& all() const { return all_; }

  private:
    void note_roles(const RecordBatch& batch, const RecordBatch::Head& head);
    void note_role(u64 string, const std::string& role) { roles_.try_emplace(string, role); }
    const std::string& replace(const std::string& original, const std::string& role);

    struct Name {
        std::string text;
        std::string role;
    };
    std::vector<Name> named_;                           ///< in order
    std::vector<std::pair<u64, std::string>> strings_;  ///< later ones, of unknown roles
    std::set<std::string> originals_;
    std::unordered_map<u64, std::string> roles_;  ///< by string
    std::map<std::string, u64> counts_;           ///< by role
    std::map<std::string, std::string> neutral_;  ///< by original
    std::vector<Replacement> all_;
};

/// The archive property of a partial trace; it describes the part and may contain names.
inline constexpr std::string_view kPartProperty = "TRACEFOLD::CUT";

/// The changes in an anonymous trace.
struct Anonymity {
    std::vector<Replacement> replaced;
    std::vector<std::string> dropped_files;  ///< companion and extra files, by path
};

/// Replaces the names in a folded file that are no vocabulary (see is_vocabulary()) by neutral
/// ones: strings of the definitions, the archive's name, machine, creator, description and
/// properties. Drops the files that came with the archive. Events, times, and local definitions
/// without strings stay byte by byte. Memory: names, definitions, times of one location.
class Anonymizer {
  public:
    /// Finds the names to replace. The file must outlive this object. Throws Error(corrupt).
    explicit Anonymizer(TraceFile& file);

    [[nodiscard]] const Anonymity& result() const { return result_; }

    /// Writes the anonymous file atomically. Throws Error(io).
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
