// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay_mpi/timing/issue_overhead.hpp"

#include "comm/mpi_error.hpp"
#include "replay_mpi/proof/observation.hpp"
#include "replay_mpi/timing/clock.hpp"

#include <algorithm>
#include <array>

namespace tracefold {

namespace {

constexpr std::size_t kBatches = 21;
constexpr int kMeasuredSteps = 100;
constexpr u64 kCallsOfStep = 2;
/// More than this is not the executor, but somebody else on the processor.
constexpr u64 kMost = 200;

template <class Call>
u64 duration(const Call& call) {
    const u64 begin = clock_now();
    call();
    return clock_now() - begin;
}

/// Nanoseconds that are in the two calls of a step; the median of some batches of steps.
template <class First, class Second>
u64 batch_of(const First& first, const Second& second) {
    std::array<u64, kBatches> sums{};
    for (u64& sum : sums) {
        for (int i = 0; i < kMeasuredSteps; ++i) {
            sum += duration(first);
            sum += duration(second);
        }
    }
    std::ranges::nth_element(sums, sums.begin() + kBatches / 2);
    return sums[kBatches / 2];
}

}  // namespace

u64 issue_overhead(Executor& executor, CallInFlight& in_flight, u64 world) {
    if (world == kNone) return 0;
    Action send;
    send.kind = Action::Kind::send;
    send.request = 0;
    send.envelope = {world, static_cast<u32>(MPI_PROC_NULL), 0, 0};
    Action sent = send;
    sent.kind = Action::Kind::complete_send;
    MpiCall post;
    post.function = MpiFunction::Isend;
    post.family = CallFamily::post_send;
    post.actions = {&send, 1};
    MpiCall wait;
    wait.function = MpiFunction::Wait;
    wait.family = CallFamily::completion;
    wait.actions = {&sent, 1};
    const auto issue = [&](const MpiCall& mpi_call) {
        in_flight.begin(mpi_call);
        executor.execute(mpi_call);
        in_flight.end();
    };
    MPI_Request request = MPI_REQUEST_NULL;
    const auto isend = [&request] {
        const int code =
            PMPI_Isend(nullptr, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_WORLD, &request);
        check_mpi(code, "MPI_Isend");
    };
    const auto wait_for = [&request] {
        check_mpi(PMPI_Wait(&request, MPI_STATUS_IGNORE), "MPI_Wait");
    };
    const HiddenCalls hidden;
    const u64 replayed = batch_of([&] { issue(post); }, [&] { issue(wait); });
    const u64 bare = batch_of(isend, wait_for);
    const u64 more = replayed - std::min(bare, replayed);
    return std::min(more / (kMeasuredSteps * kCallsOfStep), kMost);
}

}  // namespace tracefold
