// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "archives/scratch_folder.hpp"

#include "comm/agree.hpp"
#include "core/error.hpp"

#include <cstdlib>

namespace tracefold {

namespace fs = std::filesystem;

ScratchFolder::ScratchFolder(Communicator& comm, const std::string& parent) {
    agree(comm, [&] {
        if (comm.rank() == 0) create(parent);
    });
    path_ = comm.broadcast(own_.string(), 0);
}

ScratchFolder::ScratchFolder(const std::string& parent) {
    create(parent);
    path_ = own_;
}

ScratchFolder::~ScratchFolder() {
    std::error_code ignored;
    if (!own_.empty()) fs::remove_all(own_, ignored);
}

void ScratchFolder::create(const std::string& parent) {
    std::string name = (fs::path(parent) / "tracefold-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) {
        throw Error(ErrorKind::io, "cannot create a folder for temporary files in " + parent +
                                       "; set TMPDIR to one that can be written");
    }
    own_ = name;
}

}  // namespace tracefold
