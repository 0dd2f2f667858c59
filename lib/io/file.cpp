// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/file.hpp"

#include "core/error.hpp"

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

constexpr int kTemporaryNameAttempts = 100;

FileDescriptor open_existing(const fs::path& path, int flags, const std::string& action) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
    if (fd < 0) {
        throw_io_error(action, path.string(), errno);
    }
    return {fd, path.string()};
}

u64 regular_file_size(const FileDescriptor& file) {
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) {
        throw_io_error("cannot read", file.name(), errno);
    }
    if (!S_ISREG(status.st_mode)) {
        throw Error(ErrorKind::io, "cannot read {}: it is {}", file.name(),
                    S_ISDIR(status.st_mode) ? "a directory" : "not a regular file");
    }
    return static_cast<u64>(status.st_size);
}

[[noreturn]] void refuse_overwriting(const fs::path& target) {
    throw Error(ErrorKind::io, target.string() + " exists already; use --force to overwrite it");
}

// The path to replace. Links are followed, since renaming onto a link would destroy the link;
// devices and directories are refused, since renaming onto them would destroy those.
fs::path resolve_target(const fs::path& target, bool force) {
    std::error_code ignored;
    const fs::file_status status = fs::status(target, ignored);
    if (!fs::exists(status)) {
        return target;
    }
    if (!fs::is_regular_file(status)) {
        throw Error(ErrorKind::io, "cannot write {}: it is {}", target.string(),
                    fs::is_directory(status) ? "a directory" : "not a regular file");
    }
    if (!force) {
        refuse_overwriting(target);
    }
    return fs::canonical(target);
}

// A name that is taken is the remains of a killed process with the same id, or belongs to a process
// of another machine on a shared file system: never reuse it.
FileDescriptor create_temporary(const fs::path& target, fs::path& temporary) {
    const std::string stem = fmt::format("{}.part-{}", target.string(), ::getpid());
    for (int attempt = 0;; ++attempt) {
        temporary = attempt == 0 ? stem : fmt::format("{}-{}", stem, attempt);
        const int fd = ::open(temporary.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (fd >= 0) {
            return {fd, target.string()};
        }
        if (errno != EEXIST || attempt == kTemporaryNameAttempts) {
            throw_io_error("cannot create", target.string(), errno);
        }
    }
}

// Makes the new name survive a crash of the machine. Some file systems cannot do that for a
// directory and say EINVAL; a directory that may not be read cannot be opened.
void sync_directory_of(const fs::path& path) {
    const fs::path directory = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const int fd = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) {
        return;
    }
    const FileDescriptor closer(fd, directory.string());
    if (::fsync(fd) != 0 && errno != EINVAL && errno != ENOTSUP) {
        throw_io_error("cannot write", directory.string(), errno);
    }
}

}  // namespace

// Without O_NONBLOCK, opening a named pipe would wait for a writer before it can be refused.
InputFile::InputFile(const fs::path& path)
    : file_(open_existing(path, O_RDONLY | O_NONBLOCK, "cannot read")),
      size_(regular_file_size(file_)) {}

std::string InputFile::read_at(u64 offset, u64 count) const {
    if (offset > size_ || count > size_ - offset) {
        throw Error(ErrorKind::corrupt,
                    "{} is too short: {} bytes are needed at byte {}, but it has only {} bytes",
                    name(), count, offset, size_);
    }
    std::string bytes(static_cast<std::size_t>(count), '\0');
    file_.read_at(offset, bytes.data(), bytes.size());
    return bytes;
}

std::string read_whole_file(const fs::path& path) {
    const InputFile file(path);
    return file.read_at(0, file.size());
}

AtomicFile::AtomicFile(const fs::path& target, bool force)
    : target_(resolve_target(target, force)),
      force_(force),
      file_(create_temporary(target_, temporary_)) {}

AtomicFile::~AtomicFile() {
    if (!committed_) {
        ::unlink(temporary_.c_str());
    }
}

void AtomicFile::write(std::string_view bytes) { write_at(size_, bytes); }

void AtomicFile::write_at(u64 offset, std::string_view bytes) {
    file_.write_at(offset, bytes);
    size_ = std::max(size_, offset + bytes.size());
}

void AtomicFile::commit() {
    file_.sync();
    file_.close();
    std::error_code ignored;
    if (!force_ && fs::exists(target_, ignored)) {
        refuse_overwriting(target_);
    }
    if (std::rename(temporary_.c_str(), target_.c_str()) != 0) {
        throw_io_error("cannot create", target_.string(), errno);
    }
    committed_ = true;
    sync_directory_of(target_);
}

SharedFile::SharedFile(const fs::path& path)
    : file_(open_existing(path, O_WRONLY, "cannot write")) {}

void SharedFile::finish() {
    file_.sync();
    file_.close();
}

bool same_file(const fs::path& a, const fs::path& b) {
    struct stat status_a {};
    struct stat status_b {};
    if (::stat(a.c_str(), &status_a) != 0 || ::stat(b.c_str(), &status_b) != 0) {
        return false;
    }
    return status_a.st_dev == status_b.st_dev && status_a.st_ino == status_b.st_ino;
}

}  // namespace tracefold
