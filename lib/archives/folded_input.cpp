// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/folded_input.hpp"

#include "archives/compress.hpp"
#include "archives/input_kind.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/temporary.hpp"

#include <algorithm>
#include <filesystem>
#include <thread>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

void fold(Communicator& comm, const std::string& archive, const std::string& output,
          const FoldedInputOptions& options) {
    CompressOptions fold_options;
    fold_options.archive = archive;
    fold_options.output = output;
    fold_options.producer = options.producer;
    fold_options.timing = options.timing;
    fold_options.verify = false;
    fold_options.level = options.level;
    fold_options.drop_unknown = options.drop_unknown;
    fold_options.threads = options.threads;
    fold_options.expected_records = options.expected_records;
    fold_options.progress = options.progress;
    compress(comm, fold_options);
}

/// Even the smallest sections take longer than starting a thread.
u32 threads_to_open(const Communicator& comm, u32 wanted) {
    if (wanted != 0) return wanted;
    return comm.size() > 1 ? 1 : std::max(std::thread::hardware_concurrency(), 1U);
}

void check_visible(const std::string& path) {
    if (fs::exists(path)) return;
    throw Error(ErrorKind::io, "a process does not see the temporary file " + path +
                                   "; set TMPDIR to a folder that all nodes share");
}

}  // namespace

FoldedInput::FoldedInput(Communicator& comm, const std::string& path,
                         const FoldedInputOptions& options)
    : name_(path) {
    agree(comm, [&] {
        refuse_foreign_input(path);
        claims_ = claim_trace(path);
    });
    const u32 threads = threads_to_open(comm, options.threads);
    // Rank 0 decides for all: other processes may have an older view of the file system.
    was_folded_ = comm.broadcast(is_archive(path) ? "archive" : "", 0) == "archive";
    if (!was_folded_) {
        agree(comm, [&] { file_ = std::make_unique<TraceFile>(path, "", threads); });
        expect_alike(comm);
        return;
    }
    const ScratchFolder folder(comm, options.scratch);
    const std::string folded = (folder.path() / "archive.tfold").string();
    fold(comm, path, folded, options);
    agree(comm, [&] {
        check_visible(folded);
        file_ = std::make_unique<TraceFile>(folded, path, threads);
    });
    expect_alike(comm);
}

void FoldedInput::expect_alike(Communicator& comm) const {
    tracefold::expect_alike(comm, file_->container().fingerprint(), file_->container().path());
}

void FoldedInput::read_instead(const std::string& path) {
    check_visible(path);
    file_ = std::make_unique<TraceFile>(path, name_);
}

}  // namespace tracefold
