// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/parallel.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <fstream>
#include <future>
#include <mutex>
#include <set>
#include <system_error>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

/// A shared counter of items, and the failure of the lowest one.
class SharedItems {
  public:
    explicit SharedItems(std::size_t count) : count_(count) {}

    void work_on(const ItemWork& work) {
        for (std::size_t item = next_++; item < count_; item = next_++) {
            try {
                work(item);
            } catch (...) {
                note_failure(item);
            }
        }
    }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    void note_failure(std::size_t item) {
        next_ = count_;  // end all threads
        const std::scoped_lock lock(mutex_);
        if (failure_ && failed_ < item) return;
        failure_ = std::current_exception();
        failed_ = item;
    }

    std::size_t count_;
    std::atomic<std::size_t> next_ = 0;
    std::mutex mutex_;
    std::size_t failed_ = 0;
    std::exception_ptr failure_;
};

/// Items made concurrently and taken in order.
class OrderedItems {
  public:
    OrderedItems(std::size_t most_ahead, const ItemWork& take)
        : most_ahead_(most_ahead), take_(take) {}

    void work_on(std::size_t item, const ItemWork& make) {
        if (!begin(item)) return;
        if (attempt(item, make)) take_made(item);
    }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    /// Blocks while the item is too far ahead; returns false if an earlier one has failed.
    bool begin(std::size_t item) {
        std::unique_lock lock(mutex_);
        moved_.wait(lock, [&] { return failed_ < item || item - next_ <= most_ahead_; });
        return item < failed_;
    }

    bool attempt(std::size_t item, const ItemWork& work) {
        try {
            work(item);
            return true;
        } catch (...) {
            const std::scoped_lock lock(mutex_);
            if (item < failed_) failure_ = std::current_exception();
            failed_ = std::min(failed_, item);
            moved_.notify_all();
            return false;
        }
    }

    void take_made(std::size_t item) {
        std::unique_lock lock(mutex_);
        made_.insert(item);
        if (taking_) return;
        taking_ = true;
        while (next_ < failed_ && made_.erase(next_) != 0) {
            lock.unlock();
            const bool taken = attempt(next_, take_);
            lock.lock();
            next_ += taken ? 1 : 0;
            moved_.notify_all();
        }
        taking_ = false;
    }

    std::size_t most_ahead_;
    const ItemWork& take_;
    std::mutex mutex_;
    std::condition_variable moved_;
    std::size_t next_ = 0;  ///< to be taken; changed only by the taking thread
    bool taking_ = false;
    std::set<std::size_t> made_;
    std::size_t failed_ = ~std::size_t{0};  ///< the lowest one
    std::exception_ptr failure_;
};

}  // namespace

void run_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::vector<std::future<void>> running;
    const auto start = [&work](std::size_t i) {
        // Deferred if no more threads are available.
        return std::async(std::launch::async | std::launch::deferred, work, i);
    };
    for (std::size_t i = 1; i < count; ++i) running.push_back(start(i));
    std::exception_ptr failure;
    const auto note = [&failure](const std::function<void()>& part) {
        try {
            part();
        } catch (...) {
            if (!failure) failure = std::current_exception();
        }
    };
    if (count != 0) note([&work] { work(0); });
    for (std::future<void>& one : running) note([&one] { one.get(); });
    if (failure) std::rethrow_exception(failure);
}

void run_each(std::size_t threads, std::size_t count, const ItemWork& work) {
    run_each_with(threads, count, [&work] { return std::cref(work); });
}

void run_each_with(std::size_t threads, std::size_t count, const std::function<ItemWork()>& begin) {
    SharedItems items(count);
    run_parallel(std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(count, 1)),
                 [&](std::size_t /*thread*/) { items.work_on(begin()); });
    items.rethrow();
}

void run_each_in_order(std::size_t threads, std::size_t count, const ItemWork& make,
                       const ItemWork& take) {
    OrderedItems items(threads, take);
    run_each(threads, count, [&](std::size_t item) { items.work_on(item, make); });
    items.rethrow();
}

std::thread start_thread(std::function<void()> work) {
    try {
        return std::thread(std::move(work));
    } catch (const std::system_error& error) {
        throw Error(ErrorKind::io,
                    "cannot start a thread: {}; raise the limit of processes (ulimit -u) or of "
                    "memory, or end other programs",
                    error.code().message());
    }
}

std::thread try_start_thread(std::function<void()> work) {
    try {
        return std::thread(std::move(work));
    } catch (const std::system_error&) {
        return {};
    } catch (const std::bad_alloc&) {
        return {};
    }
}

namespace {

thread_local const std::function<void()>* current_check = nullptr;

}  // namespace

Cancellable::Cancellable(std::function<void()> check)
    : check_(std::move(check)), outer_(current_check) {
    current_check = &check_;
}

Cancellable::~Cancellable() { current_check = outer_; }

void cancel_point() {
    if (current_check != nullptr) (*current_check)();
}

u64 waited_for_processor() {
    std::ifstream file("/proc/self/schedstat");
    u64 ran = 0;
    u64 waited = 0;
    file >> ran >> waited;
    return waited;
}

}  // namespace tracefold
