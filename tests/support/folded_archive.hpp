// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "archives/compress.hpp"
#include "base/communicator.hpp"
#include "file/trace_file.hpp"
#include "support/test_directory.hpp"

#include <memory>
#include <string>

namespace tracefold {

/// An archive, folded into a file that lasts as long as this.
class FoldedArchive {
  public:
    FoldedArchive(const std::string& archive, TimingLevel timing) {
        CompressOptions options;
        options.archive = archive;
        options.output = (directory_ / "folded.tfold").string();
        options.producer = "test";
        options.timing = timing;
        options.verify = false;
        options.level = 1;
        SerialCommunicator comm;
        compress(comm, options);
        path_ = options.output;
        file_ = std::make_unique<TraceFile>(path_);
    }

    TraceFile& operator*() { return *file_; }
    TraceFile* operator->() { return file_.get(); }
    /// Of the folded file.
    [[nodiscard]] const std::string& path() const { return path_; }

  private:
    TestDirectory directory_;
    std::string path_;
    std::unique_ptr<TraceFile> file_;
};

}  // namespace tracefold
