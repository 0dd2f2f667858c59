// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "io/publication.hpp"

#include "core/error.hpp"
#include "io/placement.hpp"

#include <atomic>
#include <cerrno>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

namespace tracefold {

namespace fs = std::filesystem;

namespace {

std::mutex mutex_of_current;
Publication* current = nullptr;
std::atomic<bool> done = false;

fs::path folder_of(const fs::path& path) {
    return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

/// What is replaced belongs to this process until that is certain: nobody may take it for left.
FileDescriptor lock_replaced(const fs::path& place) {
    FileDescriptor file(::open(place.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC), place.string());
    if (file.get() >= 0) ::flock(file.get(), LOCK_EX | LOCK_NB);
    return file;
}

/// Puts outputs into place one by one; those that have theirs go back unless all of them have.
class Placing {
  public:
    Placing() = default;
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
        // It may have changed since.
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
        } catch (const Error&) {
            // The error on its way tells more.
        }
    }

    std::vector<Placed> placed_;
    bool all_ = false;
};

/// Makes the new name survive a crash of the machine. Some file systems cannot do that for a
/// directory and say EINVAL; a directory that may not be read cannot be opened.
void sync_directory_of(const fs::path& path) {
    const fs::path directory = folder_of(path);
    const FileDescriptor file(::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC),
                              directory.string());
    if (file.get() >= 0 && ::fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP) {
        throw_io_error("cannot write", directory.string(), errno);
    }
}

/// As long as these live, no other process puts several outputs into the same folders, so that
/// those of two writers do not mix. File systems without locks go without.
std::vector<FileDescriptor> lock_folders(const std::vector<CompleteOutput>& outputs) {
    std::set<fs::path> folders;  // in one order, so that nobody waits for one who waits for him
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
    // Something of ours may have stayed in an output.
    check_removals();
    const std::vector<FileDescriptor> folders = lock_folders(outputs);
    const auto lock = hold_temporaries();
    Placing placing;
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
}

}  // namespace tracefold
