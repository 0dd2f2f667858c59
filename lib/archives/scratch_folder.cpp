// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/scratch_folder.hpp"

#include "comm/agree.hpp"
#include "core/error.hpp"

#include <sys/stat.h>

namespace tracefold {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(Communicator& comm, const std::string& parent) {
    on_first(comm, [&] { create(parent); });
    path_ = comm.broadcast(path_.string(), 0);
}

ScratchFolder::ScratchFolder(const std::string& parent) { create(parent); }

void ScratchFolder::create(const std::string& parent) {
    try {
        own_.emplace(Temporary::folder(fs::path(parent) / "tracefold", S_IRWXU));
    } catch (const Error& error) {
        throw Error(ErrorKind::io, "{}; set TMPDIR to a folder that can be written", error.what());
    }
    path_ = own_->path();
}

}  // namespace tracefold
