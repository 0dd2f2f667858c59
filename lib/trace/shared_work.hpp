// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "trace/trace_file.hpp"

#include <functional>

namespace tracefold::inline trace {

/// Runs work(own file, item) for each item below `count` in up to `threads` threads, the caller's
/// among them, which has `file` itself; each other one has a clone of it. Items are begun in
/// their order. Returns when all have ended. After a failure no item is begun any more, and what
/// the lowest one that failed threw is thrown: the same for every number of threads.
/// Precondition: threads >= 1.
void share_out(TraceFile& file, u32 threads, u32 count,
               const std::function<void(TraceFile& own, u32 item)>& work);

/// The same for work that keeps something from item to item: `begin` is called once in each thread,
/// with its file, and what it returns is called with the items.
using ItemWork = std::function<void(u32 item)>;
void share_out_to(TraceFile& file, u32 threads, u32 count,
                  const std::function<ItemWork(TraceFile& own)>& begin);

}  // namespace tracefold::inline trace
