// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/atomic_directory.hpp"

#include "core/error.hpp"

#include <system_error>

#include <unistd.h>

namespace tracefold {

namespace {

namespace fs = std::filesystem;

void move(const fs::path& from, const fs::path& to) {
    std::error_code error;
    fs::rename(from, to, error);
    if (error) {
        throw Error(ErrorKind::io, "cannot rename {} to {}: {}", from.string(), to.string(),
                    error.message());
    }
}

}  // namespace

AtomicDirectory::AtomicDirectory(const std::string& target, bool force)
    : target_(fs::absolute(target).lexically_normal()) {
    if (!target_.has_filename()) target_ = target_.parent_path();
    std::error_code error;
    const bool present = fs::exists(target_, error) &&
                         !(fs::is_directory(target_, error) && fs::is_empty(target_, error));
    if (present && !force) {
        throw Error(ErrorKind::io,
                    target + " exists already; use --force to replace what is in it");
    }
    temporary_ = target_;
    temporary_ += ".part-" + std::to_string(::getpid());
    fs::create_directories(target_.parent_path(), error);
    if (!fs::create_directory(temporary_, error) || error) {
        throw Error(ErrorKind::io, "cannot create {}: {}", temporary_.string(),
                    error ? error.message() : "it exists already");
    }
}

AtomicDirectory::~AtomicDirectory() {
    std::error_code ignored;
    if (!committed_) fs::remove_all(temporary_, ignored);
}

void AtomicDirectory::commit() {
    std::error_code error;
    if (!fs::exists(target_, error) || fs::is_empty(target_, error)) {
        move(temporary_, target_);
        committed_ = true;
        return;
    }
    for (const fs::directory_entry& entry : fs::directory_iterator(temporary_)) {
        const fs::path place = target_ / entry.path().filename();
        fs::remove_all(place, error);
        move(entry.path(), place);
    }
}

}  // namespace tracefold
