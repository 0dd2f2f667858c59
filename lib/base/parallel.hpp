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

/// Runs work(0) to work(count - 1) at the same time, each in a thread of its own but the first,
/// which is run by the caller. Returns when all have ended; then throws what the lowest one threw.
/// Threads that the system refuses to start do without: the caller does their work afterwards.
void run_parallel(std::size_t count, const std::function<void(std::size_t)>& work);

using ItemWork = std::function<void(std::size_t item)>;

/// Runs work(item) for each item below `count` in up to `threads` threads, the caller's among them.
/// Items are begun in their order. Returns when all have ended. After a failure no item is begun
/// any more, and what the lowest one that failed threw is thrown: the same for every number of
/// threads.
void run_each(std::size_t threads, std::size_t count, const ItemWork& work);

/// The same for work that keeps something from item to item: `begin` is called once in each thread,
/// and what it returns is called with the items.
void run_each_with(std::size_t threads, std::size_t count, const std::function<ItemWork()>& begin);

/// Runs make(item) for each item below `count` as run_each() does, and take(item) for one item
/// after the other in their order, each once it is made, in the thread that comes by. An item is
/// not begun while more than `threads` before it are not taken. Failures: as run_each(), and an
/// item that cannot be taken failed too.
void run_each_in_order(std::size_t threads, std::size_t count, const ItemWork& make,
                       const ItemWork& take);

/// A thread that the program cannot do without. Throws Error(io) if the system refuses to start
/// one.
std::thread start_thread(std::function<void()> work);

/// A thread that only makes work faster. It is not joinable if the system refuses to start one.
std::thread try_start_thread(std::function<void()> work);

/// Long work of a thread that somebody may want to end: as long as this exists, `check` is called
/// from time to time on the thread that made it, and ends the work by throwing. Within
/// another one it takes its place for a while.
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

/// Called where long work may end: calls what Cancellable was given, if there is one. Cost: a few
/// nanoseconds.
void cancel_point();

/// Called now and then with the number of records worked on since the last call.
using ProgressSink = std::function<void(u64 records)>;

/// A sink that several threads may call, and that calls `sink` for one of them at a time; none if
/// `sink` is none.
inline ProgressSink one_at_a_time(const ProgressSink& sink) {
    if (!sink) return {};
    return [sink, mutex = std::make_shared<std::mutex>()](u64 records) {
        const std::scoped_lock lock(*mutex);
        sink(records);
    };
}

}  // namespace tracefold
