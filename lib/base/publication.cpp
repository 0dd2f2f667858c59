// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/publication.hpp"

#include "base/error.hpp"
#include "base/file.hpp"
#include "base/file_descriptor.hpp"
#include "base/temporary.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstdio>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

/// A thread-safe list of claimed paths.
class HeldPaths {
  public:
    std::shared_ptr<const fs::path> add(std::shared_ptr<const fs::path> path) {
        const std::scoped_lock lock(mutex_);
        std::erase_if(paths_, [](const auto& one) { return one.expired(); });
        paths_.push_back(path);
        return path;
    }

    [[nodiscard]] std::vector<fs::path> all() const {
        std::vector<fs::path> paths;
        const std::scoped_lock lock(mutex_);
        for (const auto& one : paths_) {
            if (const auto held = one.lock()) paths.push_back(*held);
        }
        return paths;
    }

  private:
    mutable std::mutex mutex_;
    std::vector<std::weak_ptr<const fs::path>> paths_;
};

HeldPaths& inputs() {
    static HeldPaths paths;
    return paths;
}

HeldPaths& outputs() {
    static HeldPaths paths;
    return paths;
}

/// Resolves links and dots, even if the path does not exist.
fs::path real_path(const fs::path& path) {
    std::error_code error;
    fs::path real = fs::weakly_canonical(path, error);
    if (error) real = fs::absolute(path).lexically_normal();
    return real.has_filename() ? real : real.parent_path();
}

/// Precondition: both are real paths.
bool is_in(const fs::path& inner, const fs::path& outer) {
    for (fs::path path = inner;; path = path.parent_path()) {
        if (path == outer || same_file(path, outer)) return true;
        if (path == path.parent_path()) return false;
    }
}

void refuse(const fs::path& output, const char* what, const fs::path& other) {
    throw Error(ErrorKind::usage, "the output {} {} {}; give another place", output.string(), what,
                other.string());
}

}  // namespace

namespace {

std::mutex mutex_of_noted;
std::set<fs::path> noted_inputs;

/// Notes a file that is another one in the end.
struct ClaimedInput {
    ClaimedInput(const fs::path& input, const struct stat& status)
        : given(input), real(real_path(input)), first(status) {}
    ClaimedInput(const ClaimedInput&) = delete;
    ClaimedInput& operator=(const ClaimedInput&) = delete;
    ~ClaimedInput() {
        struct stat last {};
        if (!S_ISREG(first.st_mode) || (::stat(given.c_str(), &last) == 0 &&
                                        last.st_dev == first.st_dev && last.st_ino == first.st_ino))
            return;
        const std::scoped_lock lock(mutex_of_noted);
        noted_inputs.insert(given);
    }

    fs::path given;
    fs::path real;
    struct stat first;
};

}  // namespace

InputClaim::InputClaim(const fs::path& input) {
    struct stat status {};
    if (::stat(input.c_str(), &status) != 0) return;
    const auto claimed = std::make_shared<const ClaimedInput>(input, status);
    path_ = inputs().add({claimed, &claimed->real});
}

std::set<fs::path> replaced_inputs() {
    const std::scoped_lock lock(mutex_of_noted);
    return std::exchange(noted_inputs, {});
}

void refuse_inputs(const fs::path& output) {
    std::error_code ignored;
    if (!fs::exists(output, ignored)) return;
    const fs::path real = real_path(output);
    for (const fs::path& input : inputs().all()) {
        if (same_file(real, input)) refuse(output, "is the input", input);
        if (is_in(real, input)) refuse(output, "is a part of the input", input);
        if (is_in(input, real)) refuse(output, "holds the input", input);
    }
}

OutputClaim::OutputClaim(const fs::path& output) {
    if (output == "-") {
        throw Error(ErrorKind::usage,
                    "this output cannot go to standard output; name a file (./- is one of the name "
                    "-)");
    }
    if (is_in_temporary(output)) return;
    refuse_inputs(output);
    fs::path real = real_path(output);
    for (const fs::path& other : outputs().all()) {
        if (is_in(real, other) || is_in(other, real)) {
            refuse(output, "would be mixed with the output", other);
        }
    }
    path_ = outputs().add(std::make_shared<const fs::path>(std::move(real)));
}

namespace fs = std::filesystem;

namespace {

std::mutex mutex_of_current;
Publication* current = nullptr;
std::atomic<bool> done = false;

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// Locks the replaced output until all are moved, so another process does not remove it as stale.
FileDescriptor lock_replaced(const fs::path& place) {
    FileDescriptor file(::open(place.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC), place.string());
    if (file.get() >= 0) ::flock(file.get(), LOCK_EX | LOCK_NB);
    return file;
}

/// Moves outputs to their targets one by one; the destructor reverts them unless keep() was called.
class Placing {
  public:
    /// `outputs`: their number; nothing may fail between a move and its entry.
    explicit Placing(std::size_t outputs) { placed_.reserve(outputs); }
    Placing(const Placing&) = delete;
    Placing& operator=(const Placing&) = delete;
    ~Placing() {
        while (!all_ && !placed_.empty()) {
            take_back();
            placed_.pop_back();
        }
    }

    void put(const CompleteOutput& output) {
        const fs::path& made = output.made.path();
        if (place_new(made, output.place)) {
            placed_.push_back({&output, false, {-1, ""}});
            return;
        }
        output.check_replaced(output.place);
        FileDescriptor lock = lock_replaced(output.place);
        exchange(made, output.place);
        placed_.push_back({&output, true, std::move(lock)});
        // The output may have changed since the first check.
        output.check_replaced(made);
    }

    void keep() { all_ = true; }

  private:
    struct Placed {
        const CompleteOutput* output;
        bool replaced;
        FileDescriptor lock;
    };

    void take_back() const {
        const auto& [output, replaced, lock] = placed_.back();
        try {
            if (replaced) {
                exchange(output->made.path(), output->place);
            } else {
                (void)place_new(output->place, output->made.path());
            }
        } catch (const std::exception&) {
            // The error being thrown is more useful.
        }
    }

    std::vector<Placed> placed_;
    bool all_ = false;
};

/// Makes the rename durable. Some file systems cannot sync a directory; an unreadable directory
/// cannot be opened.
void sync_directory_of(const fs::path& path) {
    const fs::path directory = folder_of(path);
    const FileDescriptor file(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                              directory.string());
    if (file.get() >= 0) file.sync();
}

/// Makes the files of a folder durable. At once: syncing them one by one waits for the journal of
/// the file system each time.
void sync_folder(const fs::path& path) {
    const FileDescriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                                path.string());
    if (folder.get() < 0) throw_io_error("cannot read", path.string(), errno);
#ifdef __linux__
    if (::syncfs(folder.get()) == 0) return;
    if (!is_unsupported(errno)) throw_io_error("cannot write", path.string(), errno);
#endif
    for (const fs::directory_entry& entry : fs::directory_iterator(path)) {
        if (entry.is_directory()) {
            sync_folder(entry.path());
        } else {
            FileDescriptor(::open(entry.path().c_str(), O_RDONLY | O_CLOEXEC),
                           entry.path().string())
                .sync();
        }
    }
    folder.sync();
}

/// Locks the folders against other processes that publish several outputs, so two sets do not mix.
/// File systems without locks are not protected.
std::vector<FileDescriptor> lock_folders(const std::vector<CompleteOutput>& outputs) {
    std::set<fs::path> folders;  // sorted: a fixed lock order prevents deadlocks
    if (outputs.size() > 1) {
        std::error_code ignored;
        for (const CompleteOutput& output : outputs)
            folders.insert(fs::weakly_canonical(folder_of(output.place), ignored));
    }
    std::vector<FileDescriptor> locks;
    for (const fs::path& folder : folders) {
        locks.emplace_back(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                           folder.string());
        if (locks.back().get() >= 0) ::flock(locks.back().get(), LOCK_EX);
    }
    return locks;
}

void put_together(const std::vector<CompleteOutput>& outputs, std::atomic<bool>* is_done) {
    // A failed removal may have left temporary files in an output.
    check_removals();
    for (const CompleteOutput& output : outputs) {
        if (fs::is_directory(output.made.path()) && !is_in_temporary(output.place))
            sync_folder(output.made.path());
    }
    const std::vector<FileDescriptor> folders = lock_folders(outputs);
    const auto lock = hold_temporaries();
    Placing placing(outputs.size());
    for (const CompleteOutput& output : outputs) placing.put(output);
    for (const CompleteOutput& output : outputs) sync_directory_of(output.place);
    placing.keep();
    if (is_done != nullptr && !outputs.empty()) *is_done = true;
}

}  // namespace

Publication::Publication() {
    done = false;
    const std::scoped_lock lock(mutex_of_current);
    current = this;
}

Publication::~Publication() {
    const std::scoped_lock lock(mutex_of_current);
    current = nullptr;
}

void Publication::publish() {
    put_together(waiting_, &done);
    waiting_.clear();
    check_removals();  // what the outputs replaced
}

bool Publication::is_done() { return done; }

void place_output(CompleteOutput output) {
    const bool is_part = is_in_temporary(output.place);
    std::vector<CompleteOutput> alone;
    {
        const std::scoped_lock lock(mutex_of_current);
        auto& outputs = current != nullptr && !is_part ? current->waiting_ : alone;
        outputs.push_back(std::move(output));
    }
    put_together(alone, nullptr);
    alone.clear();
    check_removals();
}

namespace fs = std::filesystem;

namespace {

/// False with errno on failure; EINVAL or ENOSYS if not supported here.
bool rename_with(const fs::path& from, const fs::path& to, unsigned flags) {
#ifdef RENAME_EXCHANGE
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), flags) == 0;
#else
    errno = ENOSYS;
    return false;
#endif
}

#ifndef RENAME_EXCHANGE
constexpr unsigned RENAME_NOREPLACE = 1;
constexpr unsigned RENAME_EXCHANGE = 2;
#endif

bool something_is_there(int code) { return code == EEXIST || code == ENOTEMPTY; }

[[noreturn]] void refuse(const fs::path& place, int code) {
    throw_io_error("cannot create", place.string(), code);
}

/// rename() itself lets a folder replace none or an empty one.
bool rename_onto_nothing(const fs::path& made, const fs::path& place) {
    std::error_code ignored;
    if (fs::is_directory(made, ignored)) return std::rename(made.c_str(), place.c_str()) == 0;
    if (rename_with(made, place, RENAME_NOREPLACE)) return true;
    if (!is_unsupported(errno)) return false;
    if (::link(made.c_str(), place.c_str()) == 0) {
        ::unlink(made.c_str());
        return true;
    }
    if (something_is_there(errno)) return false;
    // The file system has no hard links.
    errno = EEXIST;
    return !fs::exists(place, ignored) && std::rename(made.c_str(), place.c_str()) == 0;
}

}  // namespace

bool place_new(const fs::path& made, const fs::path& place) {
    if (rename_onto_nothing(made, place)) return true;
    if (!something_is_there(errno)) refuse(place, errno);
    return false;
}

void exchange(const fs::path& made, const fs::path& place) {
    if (rename_with(made, place, RENAME_EXCHANGE)) return;
    if (!is_unsupported(errno)) refuse(place, errno);
    exchange_by_renames(made, place);
}

void exchange_by_renames(const fs::path& made, const fs::path& place) {
    fs::path old = made;
    old += ".old";
    // Folders cannot have hard links.
    const bool linked = ::link(place.c_str(), old.c_str()) == 0;
    if (!linked && std::rename(place.c_str(), old.c_str()) != 0) refuse(place, errno);
    if (std::rename(made.c_str(), place.c_str()) != 0) {
        const int code = errno;
        if (linked) {
            ::unlink(old.c_str());
        } else {
            (void)place_new(old, place);
        }
        refuse(place, code);
    }
    if (std::rename(old.c_str(), made.c_str()) != 0) {
        const int code = errno;
        (void)std::rename(place.c_str(), made.c_str());
        (void)std::rename(old.c_str(), place.c_str());
        refuse(made, code);
    }
}

}  // namespace tracefold
