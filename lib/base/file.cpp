// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/file.hpp"

#include "base/error.hpp"

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

FileDescriptor open_existing(const fs::path& path, int flags, const std::string& action) {
    const int fd = ::open(path.c_str(), flags | O_CLOEXEC);
    if (fd < 0) {
        throw_io_error(action, path.string(), errno);
    }
    return {fd, path.string()};
}

struct stat status_of(const FileDescriptor& file) {
    struct stat status {};
    if (::fstat(file.get(), &status) != 0) {
        throw_io_error("cannot read", file.name(), errno);
    }
    if (!S_ISREG(status.st_mode)) {
        throw Error(ErrorKind::io, "cannot read {}: it is {}", file.name(),
                    S_ISDIR(status.st_mode) ? "a directory" : "not a regular file");
    }
    return status;
}

i64 modification_of(const struct stat& status) {
    return i64{status.st_mtim.tv_sec} * 1'000'000'000 + status.st_mtim.tv_nsec;
}

[[noreturn]] void refuse_overwriting(const fs::path& target) {
    throw Error(ErrorKind::io, target.string() + " already exists; use --force to overwrite it");
}

// Refuses devices and directories: a rename onto them would destroy them.
void check_replaced(const fs::path& found, const fs::path& target, bool force) {
    std::error_code ignored;
    const fs::file_status status = fs::status(found, ignored);
    if (!fs::is_regular_file(status)) {
        throw Error(ErrorKind::io, "cannot write {}: it is {}", target.string(),
                    fs::is_directory(status) ? "a directory" : "not a regular file");
    }
    if (!force) refuse_overwriting(target);
}

// The path to replace. Follows links: a rename onto a link would destroy the link.
fs::path resolve_target(const fs::path& target, bool force) {
    std::error_code ignored;
    if (!fs::exists(target, ignored)) return target;
    check_replaced(target, target, force);
    return fs::canonical(target);
}

constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

std::optional<mode_t> mode_of(const fs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return status.st_mode & (S_IRWXU | S_IRWXG | S_IRWXO);
}

// Never more permissive than the replaced file, and writable for this user.
mode_t first_mode(const fs::path& target, Access access) {
    if (access == Access::owner_only) return kOwnerOnly;
    constexpr mode_t kUsual = 0666;
    return (mode_of(target).value_or(kUsual) & kUsual) | kOwnerOnly;
}

void keep_mode(const FileDescriptor& file, const fs::path& replaced) {
    const std::optional<mode_t> mode = mode_of(replaced);
    // Without its own permissions, as on vfat or CIFS, a file has those of the file system.
    if (mode && ::fchmod(file.get(), *mode) != 0 && errno != EPERM && !is_unsupported(errno)) {
        throw_io_error("cannot write", file.name(), errno);
    }
}

// Some file systems report a failed write only on close; the lock is kept.
void finish(const FileDescriptor& file) {
    file.sync();
    FileDescriptor again(::dup(file.get()), file.name());
    if (again.get() >= 0) again.close();
}

}  // namespace

// Without O_NONBLOCK, opening a named pipe would wait for a writer before it can be refused.
InputFile::InputFile(const fs::path& path)
    : file_(open_existing(path, O_RDONLY | O_NONBLOCK, "cannot read")) {
    const struct stat status = status_of(file_);
    size_ = static_cast<u64>(status.st_size);
    modified_ = modification_of(status);
    constexpr u64 kBlock = 512;
    has_holes_ = static_cast<u64>(status.st_blocks) * kBlock < size_;
}

u64 InputFile::next_data(u64 offset) const {
    if (!has_holes_ || offset >= size_) return std::min(offset, size_);
    const off_t data = ::lseek(file_.get(), static_cast<off_t>(offset), SEEK_DATA);
    if (data < 0) return errno == ENXIO ? size_ : offset;  // no data, or the system does not tell
    return std::min(static_cast<u64>(data), size_);
}

u64 InputFile::data_within(u64 offset, u64 count) const {
    if (!has_holes_) return count;
    for (u64 at = next_data(offset); at < offset + count; at = next_data(at)) {
        const off_t hole = ::lseek(file_.get(), static_cast<off_t>(at), SEEK_HOLE);
        if (hole < 0 || static_cast<u64>(hole) >= offset + count) return count;
        at = static_cast<u64>(hole);
        if (next_data(at) >= offset + count) return at - offset;
    }
    return 0;
}

bool InputFile::has_changed() const {
    const struct stat status = status_of(file_);
    return static_cast<u64>(status.st_size) != size_ || modification_of(status) != modified_;
}

bool InputFile::was_replaced() const {
    const struct stat opened = status_of(file_);
    struct stat named {};
    return ::stat(name().c_str(), &named) != 0 || named.st_dev != opened.st_dev ||
           named.st_ino != opened.st_ino;
}

void InputFile::expect_bytes(u64 offset, u64 count) const {
    if (offset <= size_ && count <= size_ - offset) return;
    throw Error(ErrorKind::corrupt,
                "{} is too short: {} bytes are needed at byte {}, but it has only {} bytes", name(),
                count, offset, size_);
}

std::string InputFile::read_at(u64 offset, u64 count) const {
    expect_bytes(offset, count);
    std::string bytes(static_cast<std::size_t>(count), '\0');
    file_.read_at(offset, bytes.data(), bytes.size());
    return bytes;
}

void InputFile::read_at(u64 offset, std::span<u8> to) const {
    expect_bytes(offset, to.size());
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-reinterpret-cast)
    file_.read_at(offset, reinterpret_cast<char*>(to.data()), to.size());
}

fs::path program_path() {
    std::error_code unknown;
    return fs::read_symlink("/proc/self/exe", unknown);
}

fs::path program_folder() {
    const fs::path program = program_path();
    if (program.is_absolute()) return program.parent_path();
    throw Error(ErrorKind::io,
                "the system does not tell where this program is (/proc/self/exe), so its other "
                "parts cannot be found; make /proc available");
}

std::string read_whole_file(const fs::path& path) {
    const InputFile file(path);
    return file.read_at(0, file.size());
}

AtomicFile::AtomicFile(const fs::path& target, bool force, Access access)
    : claim_(target),
      target_(resolve_target(target, force)),
      force_(force),
      access_(access),
      temporary_(Temporary::file(target_, first_mode(target_, access))),
      temporary_path_(temporary_->path()) {}

void AtomicFile::write(std::string_view bytes) { write_at(size_, bytes); }

void AtomicFile::write_at(u64 offset, std::string_view bytes) {
    temporary_->descriptor().write_at(offset, bytes);
    size_ = std::max(size_, offset + bytes.size());
}

void AtomicFile::commit() {
    const auto check = [target = target_, force = force_](const fs::path& found) {
        check_replaced(found, target, force);
    };
    std::error_code ignored;
    if (fs::exists(target_, ignored)) check(target_);
    if (access_ == Access::usual) keep_mode(temporary_->descriptor(), target_);
    finish(temporary_->descriptor());
    CompleteOutput output{claim_, std::move(*temporary_), target_, check};
    temporary_.reset();
    place_output(std::move(output));
}

OutputFile::OutputFile(const fs::path& path)
    : file_(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), path.string()) {
    if (file_.get() < 0) throw_io_error("cannot write", path.string(), errno);
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

void expect_regular_file(const fs::path& path, const std::string& what) {
    std::error_code ignored;
    const fs::file_status status = fs::status(path, ignored);
    if (!fs::exists(status) || fs::is_regular_file(status)) return;
    throw Error(ErrorKind::io, "cannot read {}: it is {}", what,
                fs::is_directory(status) ? "a directory" : "not a regular file");
}

std::string read_small_file(const fs::path& path, u64 most) {
    const InputFile file(path);
    if (file.size() > most) {
        throw Error(ErrorKind::io, "cannot read {}: it has {} bytes, and at most {} are taken",
                    file.name(), file.size(), most);
    }
    return file.read_at(0, file.size());
}

}  // namespace tracefold
