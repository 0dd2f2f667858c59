// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "comm/agree.hpp"

#include <algorithm>
#include <exception>
#include <new>
#include <optional>
#include <vector>

namespace tracefold {

namespace {

/// Nobody else has to learn of what is thrown, so it stays what it is: what ends work that
/// somebody wants to end is no Error.
void run_alone(const std::function<void()>& work) {
    try {
        work();
    } catch (const std::bad_alloc&) {
        throw Error(ErrorKind::internal, "the process ran out of memory");
    }
}

}  // namespace

// Whatever was thrown must be turned into something that travels: a process that left here would
// keep all others waiting.
std::optional<Error> failure_of(const std::function<void()>& work) {
    try {
        work();
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return Error(ErrorKind::internal, "a process ran out of memory");
    } catch (const std::exception& error) {
        return Error(ErrorKind::internal, error.what());
    } catch (...) {
        return Error(ErrorKind::internal, "a process failed for an unknown reason");
    }
}

void agree(Communicator& comm, const std::function<void()>& work) {
    if (comm.size() == 1) return run_alone(work);
    constexpr u64 kSuccess = 0;
    const std::optional<Error> failure = failure_of(work);
    const std::vector<u64> codes =
        comm.all_gather(failure ? static_cast<u64>(failure->kind()) + 1 : kSuccess);
    const auto first =
        std::find_if(codes.begin(), codes.end(), [](u64 code) { return code != kSuccess; });
    if (first == codes.end()) {
        return;
    }
    const auto kind = static_cast<ErrorKind>(*first - 1);
    const int root = static_cast<int>(first - codes.begin());
    throw Error(kind, comm.broadcast(failure ? failure->what() : "", root));
}

void on_first(Communicator& comm, const std::function<void()>& work) {
    agree(comm, [&] {
        if (comm.rank() == 0) work();
    });
}

}  // namespace tracefold
