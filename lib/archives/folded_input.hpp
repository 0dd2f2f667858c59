// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "base/parallel.hpp"
#include "file/trace_file.hpp"

#include <memory>
#include <string>
#include <utility>

namespace tracefold {

struct FoldedInputOptions {
    /// Folder for temporary files; all processes must see it.
    std::string scratch;
    /// Of what is folded here, as those of CompressOptions.
    TimingLevel timing = TimingLevel::exact;
    int level = 1;
    bool drop_unknown = false;
    u32 threads = 0;
    std::string producer = {};
    ProgressSink expected_records = {};
    ProgressSink progress = {};
};

/// A folded file, or an OTF2 archive, which all processes together fold into a temporary file
/// first. That file loses its name as soon as all have opened it, so that nothing is left behind
/// however the program ends, and goes by the name of the archive. It is not verified: the archive
/// is still there. As long as this exists, no output replaces the input.
class FoldedInput {
  public:
    /// Collective; the same Error on all processes: io, corrupt, unsupported.
    FoldedInput(Communicator& comm, const std::string& path, const FoldedInputOptions& options);

    /// A file that is open already. Whoever opened it must keep it until this object is gone.
    explicit FoldedInput(std::shared_ptr<TraceFile> file) : file_(std::move(file)) {}

    TraceFile& file() { return *file_; }
    /// True if the input was an archive.
    [[nodiscard]] bool was_folded() const { return was_folded_; }

    /// From now on, the trace is that of another folded file, and goes by the name of this one.
    /// Throws Error: io, corrupt.
    void read_instead(const std::string& path);

  private:
    std::string name_;
    std::vector<InputClaim> claims_;
    bool was_folded_ = false;
    std::shared_ptr<TraceFile> file_;
};

}  // namespace tracefold
