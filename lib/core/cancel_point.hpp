// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <functional>

namespace tracefold {

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

}  // namespace tracefold
