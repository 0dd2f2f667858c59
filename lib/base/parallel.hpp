// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace tracefold {

/// Runs work(0) to work(count - 1) concurrently, each in its own thread, the first in the caller's.
/// Returns when all have ended; then throws the exception of the lowest failing index. If the
/// system refuses threads, the caller runs their work afterwards.
void run_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

using ItemWork = std::function<void(std::size_t item)>;

/// Runs work(item) for each item below `count` in up to `threads` threads, including the caller's.
/// Items are begun in order. Returns when all threads have ended. After a failure no further item
/// is begun, and the exception of the lowest failing item is thrown: the same for every number of
/// threads.
void run_each(std::size_t threads, std::size_t count, const ItemWork& work);

/// As run_each(), for work with state per thread: `begin` is called once in each thread and returns
/// the function that is called with the items.
void run_each_with(std::size_t threads, std::size_t count, const std::function<ItemWork()>& begin);

/// Runs make(item) for each item below `count` as run_each() does, and take(item) for one item at a
/// time in order, in any of the threads. An item is not begun while more than `threads` items
/// before it are not taken. Failures: as run_each(); a failure of take(item) counts as one of the
/// item.
void run_each_in_order(std::size_t threads, std::size_t count, const ItemWork& make,
                       const ItemWork& take);

/// Starts a required thread. Throws Error(io) if the system refuses.
std::thread start_thread(std::function<void()> work);

/// Starts an optional thread that only speeds work up. It is not joinable if the system refuses.
std::thread try_start_thread(std::function<void()> work);

/// Makes long work of the current thread cancellable: during the lifetime of this object, `check`
/// is called periodically on the thread that made it, and ends the work by throwing. A nested one
/// replaces the outer one for its lifetime.
class Cancellable {
  public:
    explicit Cancellable(std::function<void()> check);
    Cancellable(const Cancellable&) = delete;
    Cancellable& operator=(const Cancellable&) = delete;
    ~Cancellable();

  private:
    std::function<void()> check_;
    const std::function<void()>* outer_;
};

/// Calls the check of the current Cancellable, if any. Cost: a few nanoseconds.
void cancel_point();

/// Called periodically with the number of records processed since the last call.
using ProgressSink = std::function<void(u64 records)>;

/// Wraps `sink` for calls by several threads: calls are serialised. Returns none if `sink` is none.
inline ProgressSink one_at_a_time(const ProgressSink& sink) {
    if (!sink) return {};
    return [sink, mutex = std::make_shared<std::mutex>()](u64 records) {
        const std::scoped_lock lock(*mutex);
        sink(records);
    };
}

/// Nanoseconds in which the first thread of this process could have run but had no processor; 0 if
/// the system does not tell.
u64 waited_for_processor();

}  // namespace tracefold
