// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/cancel_point.hpp"

#include <utility>

namespace tracefold {

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

}  // namespace tracefold
