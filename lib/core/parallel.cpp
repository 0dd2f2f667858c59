// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <vector>

namespace tracefold::inline core {

void run_parallel(std::size_t count, const std::function<void(std::size_t)>& work) {
    std::vector<std::future<void>> running;
    const auto start = [&work](std::size_t i) {
        // Deferred if there can be no more threads.
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

void run_each(std::size_t threads, std::size_t count,
              const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next = 0;
    run_parallel(std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(count, 1)),
                 [&](std::size_t /*thread*/) {
                     for (std::size_t i = next++; i < count; i = next++) work(i);
                 });
}

}  // namespace tracefold::inline core
