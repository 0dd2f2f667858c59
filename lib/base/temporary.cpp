// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/temporary.hpp"

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/removed_path.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

constexpr int kNameAttempts = 10'000;

struct Temporaries {
    /// A path that its Temporary failed to remove.
    struct Left {
        fs::path path;
        std::error_code reason;
    };

    std::mutex mutex;
    std::list<fs::path> paths;  ///< absolute
    std::optional<Left> left;   ///< the last one, until reported
};

/// Never destroyed: a signal may come while the program ends.
Temporaries& temporaries() {
    static Temporaries& all = *new Temporaries;
    return all;
}

/// Identifies this machine since its last boot; empty if unknown.
const std::string& boot() {
    static const std::string id = [] {
        std::string text;
        std::ifstream("/proc/sys/kernel/random/boot_id") >> text;
        return text.substr(0, text.find('-'));
    }();
    return id;
}

bool skip_number(std::string_view& text, u64& number) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return error == std::errc();
}

bool skip(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) return false;
    text.remove_prefix(prefix.size());
    return true;
}

/// True for the name of a Temporary of `place` that an ended process made since this boot.
bool is_of_ended_process(std::string_view name, const std::string& place) {
    u64 pid = 0;
    u64 attempt = 0;
    if (boot().empty() || !skip(name, place + ".part-") || !skip_number(name, pid)) return false;
    if (!skip(name, "-" + boot())) return false;
    if (!name.empty() && !(skip(name, "-") && skip_number(name, attempt))) return false;
    return name.empty() && ::kill(static_cast<pid_t>(pid), 0) != 0 && errno == ESRCH;
}

bool is_still_at(const FileDescriptor& file, const fs::path& path) {
    struct stat opened {};
    struct stat named {};
    return ::fstat(file.get(), &opened) == 0 && ::lstat(path.c_str(), &named) == 0 &&
           opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

void remove_if_left(const fs::path& path) {
    const FileDescriptor file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC),
                              path.string());
    if (file.get() < 0 || ::flock(file.get(), LOCK_EX | LOCK_NB) != 0) return;
    if (is_still_at(file, path)) remove_tree(path);
}

void remove_what_is_left(const fs::path& place) {
    std::error_code error;
    const std::string name = place.filename().string();
    for (fs::directory_iterator entry(place.parent_path(), error), end; !error && entry != end;
         entry.increment(error)) {
        if (is_of_ended_process(entry->path().filename().string(), name))
            remove_if_left(entry->path());
    }
}

std::string name_of(const fs::path& place, int attempt) {
    std::string name = place.string() + ".part-" + std::to_string(::getpid());
    if (!boot().empty()) name += "-" + boot();
    return attempt == 0 ? name : name + "-" + std::to_string(attempt);
}

/// `make` returns a descriptor, or -1 and errno. Another process may remove the file as stale
/// before it is locked: then the next name is tried.
template <class Make>
FileDescriptor make_locked(const fs::path& place, fs::path& path, const Make& make) {
    for (int attempt = 0;; ++attempt) {
        path = name_of(place, attempt);
        std::string name = place.string();  // nothing may fail once the file is made
        FileDescriptor made(make(path), std::move(name));
        if (made.get() >= 0) {
            ::flock(made.get(), LOCK_EX);
            if (is_still_at(made, path)) return made;
        } else if (errno != EEXIST || attempt == kNameAttempts) {
            throw_io_error("cannot create", place.string(), errno);
        }
    }
}

/// Opens a new folder; on failure removes it and returns -1 and errno.
int open_folder(const fs::path& path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const int code = errno;
    if (descriptor < 0) ::rmdir(path.c_str());
    errno = code;
    return descriptor;
}

/// Reserves a descriptor for removing the folder (~Temporary()). Removes the folder on failure.
FileDescriptor hold_folder(const std::string& path) {
    try {
        std::string name = path;
        FileDescriptor folder(open_folder(path), std::move(name));
        if (folder.get() < 0) throw_io_error("cannot create", path, errno);
        return folder;
    } catch (...) {
        ::rmdir(path.c_str());
        throw;
    }
}

/// For destructors: returns exceptions as error codes.
std::error_code remove_without_exception(const fs::path& path) {
    try {
        return remove_tree(path);
    } catch (const std::bad_alloc&) {
        return std::make_error_code(std::errc::not_enough_memory);
    }
}

void clear(const fs::path& place) {
    const fs::path absolute = fs::absolute(place).lexically_normal();
    if (!is_in_temporary(absolute)) remove_what_is_left(absolute);
}

}  // namespace

Temporary::Temporary(fs::path path, FileDescriptor descriptor)
    : path_(std::move(path)), descriptor_(std::move(descriptor)) {
    std::list<fs::path>& all = temporaries().paths;
    try {
        entry_ = all.insert(all.end(), fs::absolute(path_).lexically_normal());
    } catch (...) {
        std::remove(path_.c_str());
        throw;
    }
}

Temporary Temporary::file(const fs::path& place, mode_t mode) {
    clear(place);
    fs::path path;
    const auto lock = hold_temporaries();
    FileDescriptor made = make_locked(place, path, [mode](const fs::path& name) {
        return ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
    });
    return {std::move(path), std::move(made)};
}

Temporary Temporary::folder(const fs::path& place, mode_t mode) {
    clear(place);
    fs::path path;
    const auto lock = hold_temporaries();
    FileDescriptor made = make_locked(place, path, [mode](const fs::path& name) {
        return ::mkdir(name.c_str(), mode) == 0 ? open_folder(name) : -1;
    });
    return {std::move(path), std::move(made)};
}

Temporary Temporary::unique_folder(std::string pattern) {
    const auto lock = hold_temporaries();
    if (::mkdtemp(pattern.data()) == nullptr) throw_io_error("cannot create", pattern, errno);
    FileDescriptor held = hold_folder(pattern);
    return {std::move(pattern), std::move(held)};
}

std::optional<Temporary> Temporary::named_folder(const fs::path& path) {
    const auto lock = hold_temporaries();
    fs::path made = path;
    const std::string name = path.string();
    if (::mkdir(path.c_str(), 0700) == 0) return Temporary(std::move(made), hold_folder(name));
    const int code = errno;
    std::error_code unknown;
    if (code == EEXIST && fs::is_directory(path, unknown)) return std::nullopt;
    throw_io_error("cannot create", path.string(), code);
}

Temporary::Temporary(Temporary&& other) noexcept
    : path_(std::move(other.path_)),
      descriptor_(std::move(other.descriptor_)),
      entry_(other.entry_),
      listed_(std::exchange(other.listed_, false)) {}

Temporary::~Temporary() {
    if (!listed_) return;
    const auto lock = hold_temporaries();
    // Frees a descriptor: listing the folder needs one, and the process may be at its limit.
    descriptor_ = FileDescriptor(-1, {});
    const std::error_code error = remove_without_exception(path_);
    if (error) temporaries().left = Temporaries::Left{std::move(path_), error};
    temporaries().paths.erase(entry_);
}

RemovedPath::RemovedPath(const fs::path& path) {
    const auto lock = hold_temporaries();
    std::list<fs::path>& all = temporaries().paths;
    entry_ = all.insert(all.end(), fs::absolute(path).lexically_normal());
}

RemovedPath::~RemovedPath() {
    const auto lock = hold_temporaries();
    remove_tree(*entry_);
    temporaries().paths.erase(entry_);
}

void check_removals() {
    const auto lock = hold_temporaries();
    const auto left = std::exchange(temporaries().left, std::nullopt);
    if (left) throw_io_error("cannot remove", left->path.string(), left->reason.value());
}

bool is_in_temporary(const fs::path& path) {
    const fs::path absolute = fs::absolute(path).lexically_normal();
    const auto lock = hold_temporaries();
    return std::ranges::any_of(temporaries().paths, [&](const fs::path& folder) {
        return std::ranges::mismatch(folder, absolute).in1 == folder.end() && folder != absolute;
    });
}

std::unique_lock<std::mutex> hold_temporaries() { return std::unique_lock(temporaries().mutex); }

std::unique_lock<std::mutex> try_hold_temporaries() {
    return std::unique_lock(temporaries().mutex, std::try_to_lock);
}

void make_folders(const fs::path& path, std::error_code& error) {
    const auto lock = hold_temporaries();
    fs::create_directories(path, error);
}

ScratchFolder::ScratchFolder(Communicator& comm, const std::string& parent,
                             const std::string& advice) {
    on_first(comm, [&] { create(parent, advice); });
    path_ = comm.broadcast(path_.string(), 0);
}

ScratchFolder::ScratchFolder(const std::string& parent, const std::string& advice) {
    create(parent, advice);
}

void ScratchFolder::create(const std::string& parent, const std::string& advice) {
    try {
        own_.emplace(Temporary::folder(fs::path(parent) / "tracefold", S_IRWXU));
    } catch (const Error& error) {
        if (::access(parent.c_str(), W_OK | X_OK) == 0) throw;
        throw Error(ErrorKind::io, "{}; {}", error.what(), advice);
    }
    path_ = own_->path();
}

void remove_temporaries(std::unique_lock<std::mutex> held) {
    held.release();
    for (const fs::path& path : temporaries().paths) {
        // A thread may still add files to the folder: the rename hides it.
        const fs::path away = path.string() + "-" + std::to_string(kNameAttempts + 1);
        std::error_code failed;
        fs::rename(path, away, failed);
        remove_tree(failed ? path : away);
    }
}

namespace fs = std::filesystem;

namespace {

std::error_code last_error() { return {errno, std::generic_category()}; }

/// Refuses a link that has replaced the folder.
std::error_code list_names(const fs::path& folder, std::vector<std::string>& names) {
    const int descriptor = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (descriptor < 0) return last_error();
    const std::unique_ptr<DIR, int (*)(DIR*)> entries(::fdopendir(descriptor), &::closedir);
    if (!entries) {
        const std::error_code error = last_error();
        ::close(descriptor);
        return error;
    }
    while (true) {
        errno = 0;
        const dirent* entry = ::readdir(entries.get());
        if (entry == nullptr) return last_error();  // errno 0 at the end
        const std::string name = entry->d_name;
        if (name != "." && name != "..") names.push_back(name);
    }
}

std::error_code remove_folder(const fs::path& folder) {
    std::vector<std::string> names;
    std::error_code first = list_names(folder, names);
    for (const std::string& name : names) {
        const std::error_code error = remove_tree(folder / name);
        if (!first) first = error;
    }
    if (::rmdir(folder.c_str()) != 0 && !first) first = last_error();
    return first;
}

}  // namespace

std::error_code remove_tree(const fs::path& path) {
    if (::unlink(path.c_str()) == 0 || errno == ENOENT) return {};
    const std::error_code error = last_error();
    std::error_code ignored;
    const bool is_folder = fs::is_directory(fs::symlink_status(path, ignored));
    return is_folder ? remove_folder(path) : error;
}

}  // namespace tracefold
