// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "otf2/archive_files.hpp"
#include "otf2/detail/file_examination.hpp"
#include "otf2/detail/loss_list.hpp"
#include "otf2/mended_archive.hpp"

#include <vector>

namespace tracefold::otf2 {

struct DefinedLocation {
    u64 id = 0;
    u64 declared_events = 0;
};

/// The anchor file and the global definitions of an archive that may be damaged, and what replaces
/// them. Errors: see mend_archive().
class MendedCore {
  public:
    /// All must outlive this.
    MendedCore(const ArchiveFiles& files, const LocationFiles& location_files,
               const ArchiveFiles& mended, const MendOptions& options, LossList& losses)
        : files_(files),
          location_files_(location_files),
          mended_(mended),
          options_(options),
          losses_(losses) {}

    /// Looks at both files and, if one is damaged, writes what replaces them.
    void examine() {
        examine_anchor();
        examine_definitions(kAll);
        if (!losses_.empty()) write();
    }
    /// The locations that are defined. What libotf2 cannot make sense of becomes damage.
    std::vector<DefinedLocation> read_locations();
    /// Adds a definition of a location of which no more is known; write() follows the last.
    void define(const DefinedLocation& location);
    void write();

    /// With usable sizes of chunks.
    [[nodiscard]] const ArchiveInfo& anchor() const { return anchor_; }
    [[nodiscard]] bool definitions_are_whole() const {
        return definitions_.is_whole() && definitions_.records >= anchor_.global_definition_count;
    }

  private:
    void examine_anchor();
    void infer_chunk_sizes();
    void write_anchor() const;
    void examine_definitions(u64 most);
    [[nodiscard]] std::vector<DefinedLocation> list_locations() const;

    const ArchiveFiles& files_;
    const LocationFiles& location_files_;
    const ArchiveFiles& mended_;
    const MendOptions& options_;
    LossList& losses_;
    ArchiveInfo anchor_;
    bool anchor_is_whole_ = false;
    bool is_mended_ = false;
    FileExamination definitions_;
    std::vector<RecordBytes> inferred_definitions_;
};

}  // namespace tracefold::otf2
