// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/scratch_folder.hpp"
#include "comm/communicator.hpp"
#include "otf2/mended_archive.hpp"

#include <string>
#include <vector>

namespace tracefold {

/// What can be read of a damaged archive, as an archive that all processes see as long as this
/// lives. One that is not damaged is left as it is.
class RescuedArchive {
  public:
    /// Collective: rank 0 examines the files and mends them in a scratch folder in `parent`, which
    /// all processes must see. Throws on all what mend_archive() throws.
    RescuedArchive(Communicator& comm, const std::string& archive, const std::string& parent,
                   const ArchiveReaderOptions& reading, bool with_extra_files);

    /// To be read instead of the damaged archive's, or the archive's own.
    [[nodiscard]] const std::string& anchor() const { return anchor_; }
    /// On rank 0 only, as is the next.
    [[nodiscard]] const std::string& original_anchor() const { return mended_.original_anchor; }
    [[nodiscard]] const std::vector<FileLoss>& losses() const { return mended_.losses; }

  private:
    ScratchFolder scratch_;
    MendedArchive mended_;
    std::string anchor_;
};

}  // namespace tracefold
