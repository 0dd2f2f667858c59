// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "comm/communicator.hpp"
#include "pipeline/archive_folder.hpp"
#include "pipeline/trace_file.hpp"

#include <memory>
#include <string>

namespace tracefold {

struct FoldedInputOptions {
    /// Folder for temporary files; all processes must see it.
    std::string scratch;
    TimingLevel timing = TimingLevel::exact;  ///< of what is folded here
    ProgressSink expected_records = {};       ///< as those of CompressOptions
    ProgressSink progress = {};
};

/// True for the folder of an OTF2 archive and for an anchor file.
bool is_archive(const std::string& path);

/// A folded file, or an OTF2 archive, which all processes together fold into a temporary file
/// first. That file loses its name as soon as all have opened it, so that nothing is left behind
/// however the program ends. It is not verified: the archive is still there.
class FoldedInput {
  public:
    /// Collective; the same Error on all processes: io, corrupt, unsupported.
    FoldedInput(Communicator& comm, const std::string& path, const FoldedInputOptions& options);

    TraceFile& file() { return *file_; }
    /// True if the input was an archive.
    [[nodiscard]] bool was_folded() const { return was_folded_; }

  private:
    bool was_folded_;
    std::unique_ptr<TraceFile> file_;
};

}  // namespace tracefold
