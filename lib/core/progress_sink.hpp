// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/types.hpp"

#include <functional>
#include <memory>
#include <mutex>

namespace tracefold {

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
