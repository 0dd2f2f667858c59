// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/shared_work.hpp"

#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <optional>

namespace tracefold::inline trace {

namespace {

/// Numbers that threads take one after the other, and the failure of the lowest one.
class SharedItems {
  public:
    explicit SharedItems(u32 count) : count_(count) {}

    void work_on(const ItemWork& work) {
        while (const std::optional<u32> item = take()) {
            try {
                work(*item);
            } catch (...) {
                note_failure(*item);
            }
        }
    }
    void rethrow() const {
        if (failure_) std::rethrow_exception(failure_);
    }

  private:
    std::optional<u32> take() {
        const u64 item = next_++;
        return item < count_ ? std::optional<u32>(static_cast<u32>(item)) : std::nullopt;
    }
    void note_failure(u32 item) {
        next_ = count_;  // nobody need go on
        const std::scoped_lock lock(mutex_);
        if (failure_ && failed_ < item) return;
        failure_ = std::current_exception();
        failed_ = item;
    }

    u64 count_;
    std::atomic<u64> next_ = 0;
    std::mutex mutex_;
    u32 failed_ = 0;
    std::exception_ptr failure_;
};

}  // namespace

void share_out_to(TraceFile& file, u32 threads, u32 count,
                  const std::function<ItemWork(TraceFile& own)>& begin) {
    SharedItems items(count);
    run_parallel(std::clamp(threads, 1U, std::max(count, 1U)), [&](std::size_t thread) {
        if (thread == 0) return items.work_on(begin(file));
        const std::unique_ptr<TraceFile> own = file.clone_reader();
        items.work_on(begin(*own));
    });
    items.rethrow();
}

void share_out(TraceFile& file, u32 threads, u32 count,
               const std::function<void(TraceFile& own, u32 item)>& work) {
    share_out_to(file, threads, count,
                 [&work](TraceFile& own) { return [&work, &own](u32 item) { work(own, item); }; });
}

}  // namespace tracefold::inline trace
