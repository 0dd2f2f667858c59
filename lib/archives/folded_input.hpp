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
    /// Folder for temporary files; must be visible to all processes.
    std::string scratch;
    /// Options for folding an archive, as in CompressOptions.
    TimingLevel timing = TimingLevel::exact;
    int level = 1;
    bool drop_unknown = false;
    u32 threads = 0;
    std::string producer = {};
    ProgressSink expected_records = {};
    ProgressSink progress = {};
};

/// A folded file, or an OTF2 archive, which all processes together fold into a temporary file
/// first. The file is unlinked once all have opened it, so nothing is left however the program
/// ends, and has the archive's name in messages. It is not verified: the archive still exists.
/// During the lifetime of this object no output replaces the input.
class FoldedInput {
  public:
    /// Collective; throws the same Error on all processes: io, also if they see different traces,
    /// corrupt, unsupported.
    FoldedInput(Communicator& comm, const std::string& path, const FoldedInputOptions& options);

    /// Uses an open file, which must outlive this object.
    explicit FoldedInput(std::shared_ptr<TraceFile> file) : file_(std::move(file)) {}

    /// Throws Error(io) on all processes unless all have opened the same content. Collective.
    void expect_alike(Communicator& comm) const;

    TraceFile& file() { return *file_; }
    [[nodiscard]] bool was_folded() const { return was_folded_; }

    /// Replaces the trace by that of another folded file, under this name. Throws Error: io,
    /// corrupt.
    void read_instead(const std::string& path);

  private:
    std::string name_;
    std::vector<InputClaim> claims_;
    bool was_folded_ = false;
    std::shared_ptr<TraceFile> file_;
};

}  // namespace tracefold
