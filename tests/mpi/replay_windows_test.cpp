// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "mpi/replay_program.hpp"
#include "replay/windows/windows.hpp"

namespace tracefold::testing {
namespace {

using T = EventType;

constexpr auto kCreateHandle = static_cast<u64>(CollectiveKind::create_handle);
constexpr u64 kEveryone = kNone;
constexpr u64 kId = 7;

/// Programs are lists of calls, prepared and then executed twice.
class ReplayWindowsTest : public ReplayObjectsTest {
  protected:
#ifdef OPEN_MPI
    void SetUp() override {
        if (size() == 1) GTEST_SKIP() << "Open MPI 4.1 makes no windows of one process";
    }
#endif
    void TearDown() override {
        if (windows_) windows_->reset();
        ReplayObjectsTest::TearDown();
    }
    [[nodiscard]] static u32 next() { return (me() + 1) % size(); }

    void add(MpiFunction function, std::vector<Action> actions = {}) {
        program_.emplace_back(function, std::move(actions));
    }
    void add_collective(MpiFunction function, u64 window, std::optional<EventType> type = {}) {
        std::vector<Action> actions;
        if (type) actions.push_back(record(*type, {window}));
        actions.push_back(record(T::RmaCollectiveEnd, {kCreateHandle, 1, window, kNone, 0, 0}));
        add(function, actions);
    }
    void add_put(MpiFunction function, u64 window, u64 bytes, u64 id = kId) {
        add(function, {record(T::RmaPut, {window, next(), bytes, id})});
    }
    void add_get(MpiFunction function, u64 window, u64 bytes, u64 id = kId + 1) {
        add(function, {record(T::RmaGet, {window, next(), bytes, id})});
    }
    void add_atomic(MpiFunction function, u64 window, u64 sent, u64 received, u64 id = kId) {
        add(function, {record(T::RmaAtomic, {window, next(), 0, sent, received, id})});
    }
    void add_free(u64 window) { add_collective(MpiFunction::Win_free, window, T::RmaWinDestroy); }

    void run() {
        start();
        windows_.emplace(index_, *communicators_, inferences_);
        for (Call& call : program_) windows_->prepare(call.get(), amounts_, buffers_);
        buffers_.allocate();
        windows_->agree(MPI_COMM_WORLD);
        for (int round = 0; round < 2; ++round) {
            for (Call& call : program_) {
                windows_->execute(call.get(), {amounts_, buffers_, requests_});
            }
            windows_->reset();
        }
    }
    void wait(u64 id) {
        ASSERT_NE(requests_.find(id), nullptr);
        MPI_Wait(requests_.find(id), MPI_STATUS_IGNORE);
        requests_.remove(id);
    }

    std::vector<Call> program_;
    Amounts amounts_;
    Buffers buffers_;
    std::optional<Windows> windows_;
};

TEST_F(ReplayWindowsTest, FencesSeparateTransfers) {
    const u64 window = builder_.window(builder_.world());
    add_collective(MpiFunction::Win_create, window, T::RmaWinCreate);
    add_collective(MpiFunction::Win_fence, window);
    add_put(MpiFunction::Put, window, 100 * (me() + 1));
    add_collective(MpiFunction::Win_fence, window);
    add_get(MpiFunction::Get, window, 24);
    add_atomic(MpiFunction::Accumulate, window, 40, 0);
    add_atomic(MpiFunction::Accumulate, window, 13, 0);
    add_collective(MpiFunction::Win_fence, window);
    run();
    EXPECT_EQ(inferences_.of(Inference::window_call_left_out), 0U);
}

TEST_F(ReplayWindowsTest, LocksHoldAllKindsOfTransfers) {
    const u64 window = builder_.window(builder_.world());
    add_collective(MpiFunction::Win_allocate, window, T::RmaWinCreate);
    for (const u64 type : {u64{0}, u64{1}}) {
        add(MpiFunction::Win_lock, {record(T::RmaRequestLock, {window, next(), 0, type})});
        add_put(MpiFunction::Put, window, 40);
        add(MpiFunction::Win_flush, {record(T::RmaOpCompleteNonBlocking, {window, kId}),
                                     record(T::RmaOpCompleteRemote, {window, kId})});
        add_get(MpiFunction::Get, window, 40);
        add(MpiFunction::Win_flush_local, {record(T::RmaOpCompleteNonBlocking, {window, kId + 1})});
        add(MpiFunction::Win_flush);
        add(MpiFunction::Win_unlock, {record(T::RmaReleaseLock, {window, next(), 0})});
    }
    add(MpiFunction::Win_lock_all, {record(T::RmaRequestLock, {window, kEveryone, 0, 1})});
    add_atomic(MpiFunction::Fetch_and_op, window, 8, 8);
    add_atomic(MpiFunction::Fetch_and_op, window, 16, 16);
    add_atomic(MpiFunction::Fetch_and_op, window, 0, 3);
    add_atomic(MpiFunction::Compare_and_swap, window, 4, 4);
    add_atomic(MpiFunction::Get_accumulate, window, 24, 24);
    add_atomic(MpiFunction::Get_accumulate, window, 0, 24);
    add(MpiFunction::Win_flush_all, {record(T::RmaOpCompleteRemote, {window, kId})});
    add(MpiFunction::Win_sync);
    add(MpiFunction::Win_flush_local_all);
    add(MpiFunction::Win_unlock_all, {record(T::RmaReleaseLock, {window, kEveryone, 0})});
    add_free(window);
    run();
    EXPECT_EQ(inferences_.of(Inference::window_guessed), 2 * 4U);
    EXPECT_EQ(inferences_.of(Inference::window_call_left_out), 0U);
}

TEST_F(ReplayWindowsTest, TransfersMayHaveRequests) {
    const u64 window = builder_.window(builder_.world());
    add_collective(MpiFunction::Win_allocate, window, T::RmaWinCreate);
    add(MpiFunction::Win_lock_all, {record(T::RmaRequestLock, {window, kEveryone, 0, 1})});
    start();
    windows_.emplace(index_, *communicators_, inferences_);
    add_put(MpiFunction::Rput, window, 32, 11);
    add_get(MpiFunction::Rget, window, 32, 12);
    add_atomic(MpiFunction::Raccumulate, window, 16, 0, 13);
    add_atomic(MpiFunction::Rget_accumulate, window, 16, 16, 14);
    for (Call& call : program_) windows_->prepare(call.get(), amounts_, buffers_);
    buffers_.allocate();
    windows_->agree(MPI_COMM_WORLD);
    const Payload payload{amounts_, buffers_, requests_};
    for (Call& call : program_) windows_->execute(call.get(), payload);
    for (const u64 id : {11, 12, 13, 14}) wait(id);
    Call unlock(MpiFunction::Win_unlock_all, {record(T::RmaReleaseLock, {window, kEveryone, 0})});
    windows_->execute(unlock.get(), payload);
}

TEST_F(ReplayWindowsTest, GroupsPostStartCompleteAndWait) {
    const u64 window = builder_.window(builder_.world());
    const u64 targets = builder_.group({next()});
    const u64 origins = builder_.group({(me() + size() - 1) % size()});
    add_collective(MpiFunction::Win_create, window, T::RmaWinCreate);
    for (const MpiFunction end : {MpiFunction::Win_wait, MpiFunction::Win_test}) {
        add(MpiFunction::Win_post, {record(T::RmaGroupSync, {1, window, origins})});
        add(MpiFunction::Win_start, {record(T::RmaGroupSync, {1, window, targets})});
        add_put(MpiFunction::Put, window, 160);
        add(MpiFunction::Win_complete, {record(T::RmaGroupSync, {3, window, targets})});
        if (end == MpiFunction::Win_test) add(end, {record(T::RmaGroupSync, {0, window, origins})});
        add(end, {record(T::RmaGroupSync, {3, window, origins})});
    }
    run();
    EXPECT_EQ(inferences_.of(Inference::window_test_left_out), 2U);
}

TEST_F(ReplayWindowsTest, DynamicWindowsHaveMemoryFromTheStart) {
    const u64 window = builder_.window(builder_.world());
    add_collective(MpiFunction::Win_create_dynamic, window, T::RmaWinCreate);
    add(MpiFunction::Win_attach);
    add_collective(MpiFunction::Win_fence, window);
    add_put(MpiFunction::Put, window, 800);
    add_collective(MpiFunction::Win_fence, window);
    add(MpiFunction::Win_detach);
    add_free(window);
    run();
    EXPECT_EQ(inferences_.of(Inference::attached_memory), 4U);
}

TEST_F(ReplayWindowsTest, SharedWindowsCanBeAskedFor) {
    const u64 first = builder_.window(builder_.world());
    const u64 second = builder_.window(builder_.self());
    add_collective(MpiFunction::Win_allocate_shared, first, T::RmaWinCreate);
    add(MpiFunction::Win_shared_query);
    add_collective(MpiFunction::Win_allocate_shared, second, T::RmaWinCreate);
    add(MpiFunction::Win_shared_query);
    add_collective(MpiFunction::Win_fence, first);
    run();
    EXPECT_EQ(inferences_.of(Inference::window_guessed), 4U);
}

TEST_F(ReplayWindowsTest, CallsThatSayNothingAreLeftOut) {
    add(MpiFunction::Put);
    add(MpiFunction::Win_sync);
    add(MpiFunction::Win_flush);
    add(MpiFunction::Win_fence);
    run();
    EXPECT_EQ(inferences_.of(Inference::window_call_left_out), 8U);
}

TEST_F(ReplayWindowsTest, WrongTracesAreRefused) {
    const u64 window = builder_.window(builder_.world());
    start();
    windows_.emplace(index_, *communicators_, inferences_);
    Call undefined(MpiFunction::Put, {record(T::RmaPut, {99, 0, 8, 1})});
    EXPECT_THROW(windows_->prepare(undefined.get(), amounts_, buffers_), Error);
    Call unmade(MpiFunction::Put, {record(T::RmaPut, {window, 0, 8, 1})});
    windows_->execute(unmade.get(), {amounts_, buffers_, requests_});
    EXPECT_EQ(inferences_.of(Inference::window_call_left_out), 1U);
}

}  // namespace
}  // namespace tracefold::testing
