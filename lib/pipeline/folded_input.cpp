// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/folded_input.hpp"

#include "comm/agree.hpp"
#include "core/error.hpp"
#include "pipeline/compress.hpp"

#include <cstdlib>
#include <filesystem>
#include <functional>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

/// A folder of its own for one file; rank 0 creates and removes it.
class ScratchFolder {
  public:
    ScratchFolder(Communicator& comm, const std::string& parent) {
        agree(comm, [&] {
            if (comm.rank() == 0) create(parent);
        });
        path_ = comm.broadcast(own_.string(), 0);
    }
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;
    ~ScratchFolder() {
        std::error_code ignored;
        if (!own_.empty()) fs::remove_all(own_, ignored);
    }

    [[nodiscard]] const fs::path& path() const { return path_; }

  private:
    void create(const std::string& parent) {
        std::string name = (fs::path(parent) / "tracefold-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr) {
            throw Error(ErrorKind::io, "cannot create a folder for temporary files in " + parent +
                                           "; set TMPDIR to one that can be written");
        }
        own_ = name;
    }

    fs::path own_;  ///< empty but on rank 0
    fs::path path_;
};

void fold(Communicator& comm, const std::string& archive, const std::string& output,
          const FoldedInputOptions& options) {
    CompressOptions fold_options;
    fold_options.archive = archive;
    fold_options.output = output;
    fold_options.timing = options.timing;
    fold_options.verify = false;
    fold_options.level = 1;
    fold_options.expected_records = options.expected_records;
    fold_options.progress = options.progress;
    compress(comm, fold_options);
}

void check_visible(const std::string& path) {
    if (fs::exists(path)) return;
    throw Error(ErrorKind::io, "a process does not see the temporary file " + path +
                                   "; set TMPDIR to a folder that all nodes share");
}

}  // namespace

bool is_archive(const std::string& path) {
    return fs::is_directory(path) || fs::path(path).extension() == ".otf2";
}

FoldedInput::FoldedInput(Communicator& comm, const std::string& path,
                         const FoldedInputOptions& options)
    : was_folded_(is_archive(path)) {
    if (!was_folded_) {
        agree(comm, [&] { file_ = std::make_unique<TraceFile>(path); });
        return;
    }
    const ScratchFolder folder(comm, options.scratch);
    const std::string folded = (folder.path() / "archive.tfold").string();
    fold(comm, path, folded, options);
    agree(comm, [&] {
        check_visible(folded);
        file_ = std::make_unique<TraceFile>(folded);
    });
}

}  // namespace tracefold
