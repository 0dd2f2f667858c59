// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "core/start_thread.hpp"

#include "core/error.hpp"

#include <system_error>
#include <utility>

namespace tracefold {

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
    }
}

}  // namespace tracefold
