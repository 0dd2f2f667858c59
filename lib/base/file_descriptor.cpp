// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/file_descriptor.hpp"

#include "base/error.hpp"

#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/types.h>
#include <unistd.h>

namespace tracefold {

void throw_io_error(const std::string& action, const std::string& name, int code) {
    std::string reason = std::system_category().message(code);
    if (code == ENOSPC) {
        reason = "the disk is full; free some space or choose another place";
    } else if (code == EDQUOT) {
        reason = "the disk quota is used up; free some space or choose another place";
    }
    throw Error(ErrorKind::io, "{} {}: {}", action, name, reason);
}

bool is_unsupported(int code) { return code == EINVAL || code == ENOSYS || code == ENOTSUP; }

FileDescriptor::FileDescriptor(int fd, std::string name) : fd_(fd), name_(std::move(name)) {}

FileDescriptor::FileDescriptor(FileDescriptor&& other) noexcept
    : fd_(std::exchange(other.fd_, -1)), name_(std::move(other.name_)) {}

FileDescriptor& FileDescriptor::operator=(FileDescriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(name_, other.name_);
    return *this;
}

FileDescriptor::~FileDescriptor() {
    if (fd_ >= 0) {
        ::close(fd_);
    }
}

void FileDescriptor::read_at(u64 offset, char* to, std::size_t count) const {
    while (count > 0) {
        const ssize_t done = ::pread(fd_, to, count, static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            throw_io_error("cannot read", name_, errno);
        }
        if (done == 0) {
            throw Error(ErrorKind::io,
                        "cannot read {}: it ends at byte {}; it was truncated while being read",
                        name_, offset);
        }
        to += done;
        offset += static_cast<u64>(done);
        count -= static_cast<std::size_t>(done);
    }
}

void FileDescriptor::write_at(u64 offset, std::string_view bytes) const {
    while (!bytes.empty()) {
        const ssize_t done = ::pwrite(fd_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (done < 0 && errno == EINTR) {
            continue;
        }
        if (done < 0) {
            throw_io_error("cannot write", name_, errno);
        }
        offset += static_cast<u64>(done);
        bytes.remove_prefix(static_cast<std::size_t>(done));
    }
}

void FileDescriptor::sync() const {
    while (::fsync(fd_) != 0) {
        if (is_unsupported(errno)) return;
        if (errno != EINTR) {
            throw_io_error("cannot write", name_, errno);
        }
    }
}

void FileDescriptor::close() {
    // Linux releases the descriptor even when close() is interrupted.
    if (::close(std::exchange(fd_, -1)) != 0 && errno != EINTR) {
        throw_io_error("cannot write", name_, errno);
    }
}

}  // namespace tracefold
