// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "inspect/page/temporary_trace.hpp"

#include "archives/compress.hpp"
#include "archives/input_kind.hpp"
#include "base/error.hpp"
#include "base/temporary.hpp"
#include "common/console.hpp"
#include "common/progress.hpp"
#include "file/container.hpp"

#include <filesystem>

namespace tracefold {

TemporaryTrace::TemporaryTrace(const TraceInput& input, Communicator& comm, Console& console)
    : is_temporary_(is_archive(input.path)), name_(input.name()) {
    agree(comm, [&] {
        refuse_foreign_input(input.path);
        claims_ = claim_trace(input.path);
    });
    if (!is_temporary_) {
        if (input.drop_unknown) {
            throw Error(ErrorKind::usage,
                        "--drop-unknown applies to OTF2 archives only, and {} is already folded",
                        input.path);
        }
        open(comm, input.path);
        return;
    }
    const ScratchFolder folder(comm, scratch_directory());
    const std::string path =
        (folder.path() / std::filesystem::path(name_).replace_extension(".tfold")).string();
    std::optional<Progress> progress;
    CompressOptions options;
    options.archive = input.path;
    options.threads = input.threads;
    options.output = path;
    options.producer = "tracefold " TRACEFOLD_VERSION;
    options.timing = TimingLevel::exact;
    options.verify = false;
    options.level = input.level;
    options.drop_unknown = input.drop_unknown;
    options.expected_records = [&](u64 records) {
        progress.emplace(console, "folding", records, "records");
    };
    options.progress = [&](u64 records) { progress->advance(records); };
    const u64 dropped = compress(comm, options).dropped_unknown_records;
    progress.reset();
    open(comm, path);
    warn_about_dropped_unknown(dropped, console);
}

void TemporaryTrace::open(Communicator& comm, const std::string& path) {
    u64 content = 0;
    agree(comm, [&] {
        input_ = std::make_shared<const InputFile>(path);
        content = ContainerReader(input_, name_).fingerprint();
    });
    expect_alike(comm, content, name_);
}

}  // namespace tracefold
