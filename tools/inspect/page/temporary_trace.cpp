// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/temporary_trace.hpp"

#include "archives/compress.hpp"
#include "archives/input_kind.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "common/console.hpp"
#include "common/progress.hpp"
#include "file/trace_file.hpp"

#include <filesystem>

namespace tracefold {

TemporaryTrace::TemporaryTrace(const TraceInput& input, Communicator& comm, Console& console)
    : path_(input.path), name_(input.name()) {
    agree(comm, [&] {
        refuse_foreign_input(input.path);
        claims_ = claim_trace(input.path);
    });
    if (!is_archive(input.path)) {
        if (input.drop_unknown) {
            throw Error(ErrorKind::usage,
                        "--drop-unknown applies to OTF2 archives only, and {} is already folded",
                        input.path);
        }
        return;
    }
    folder_.emplace(comm, scratch_directory());
    path_ = (folder_->path() / std::filesystem::path(name_).replace_extension(".tfold")).string();
    std::optional<Progress> progress;
    CompressOptions options;
    options.archive = input.path;
    options.threads = input.threads;
    options.output = path_;
    options.producer = "tracefold " TRACEFOLD_VERSION;
    options.timing = TimingLevel::exact;
    options.verify = false;
    options.level = input.level;
    options.drop_unknown = input.drop_unknown;
    options.expected_records = [&](u64 records) {
        progress.emplace(console, "folding", records, "records");
    };
    options.progress = [&](u64 records) { progress->advance(records); };
    compress(comm, options);
    progress.reset();
    on_first(comm, [&] {
        warn_about_dropped_unknown(TraceFile(path_, name_).summary().dropped_unknown_records,
                                   console);
    });
}

}  // namespace tracefold
