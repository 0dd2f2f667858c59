// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "mpi/file_table.hpp"
#include "mpi/replay_program.hpp"
#include "replay/files/files.hpp"

#include <filesystem>
#include <string>

#include <unistd.h>

namespace tracefold::testing {
namespace {

namespace fs = std::filesystem;
using F = MpiFunction;
using T = EventType;

constexpr u64 kReadOnly = 0;
constexpr u64 kReadWrite = 2;
constexpr u64 kRead = 0;
constexpr u64 kWrite = 1;
constexpr u64 kNoOffset = ~u64{0};
#ifdef OPEN_MPI
constexpr bool kPreallocatesInViews = false;  ///< 4.1 fails, or makes the file too large
#else
constexpr bool kPreallocatesInViews = true;
#endif

/// Programs are lists of calls, prepared and then executed twice.
class ReplayFilesTest : public ReplayObjectsTest {
  protected:
    void TearDown() override {
        if (files_) {
            files_->reset();
            files_->remove();
        }
        test_world().barrier();
        EXPECT_TRUE(fs::is_empty(folder_));
        test_world().barrier();
        if (me() == 0) fs::remove_all(folder_);
        ReplayObjectsTest::TearDown();
    }

    void add(F function, std::vector<Action> actions = {}) {
        program_.emplace_back(function, std::move(actions));
    }
    void add_open(u64 handle, u64 mode = kReadWrite) {
        add(F::File_open, {record(T::IoCreateHandle, {handle, mode, 1, 0})});
    }
    void add_close(u64 handle) { add(F::File_close, {record(T::IoDestroyHandle, {handle})}); }
    /// A transfer that ends in the same call.
    void add_transfer(F function, u64 mode, u64 handle, u64 bytes, u64 offset = kNoOffset) {
        add(function, {record(T::IoOperationBegin, {handle, mode, 0, bytes, 1}, offset),
                       record(T::IoOperationComplete, {handle, bytes, 1})});
    }
    void add_begin(F function, u64 mode, u64 handle, u64 bytes, u64 id, u64 offset = kNoOffset) {
        add(function, {record(T::IoOperationBegin, {handle, mode, 0, bytes, id}, offset),
                       record(T::IoOperationIssued, {handle, id})});
    }
    void add_seek(F function, u64 handle, u64 whence, u64 result) {
        add(function, {record(T::IoSeek, {handle, 0, whence, result})});
    }

    void prepare() {
        start();
        table_of_files_.add(index_, builder_.records());
        files_.emplace(table_of_files_, *communicators_, inferences_);
        for (Call& call : program_) files_->prepare(call.get(), amounts_, buffers_);
        buffers_.allocate();
        const std::string own = test_world().broadcast(std::to_string(::getpid()), 0);
        folder_ = fs::temp_directory_path() / ("tracefold-replay-files-" + own);
        if (me() == 0) fs::create_directories(folder_);
        test_world().barrier();
        files_->agree(MPI_COMM_WORLD, folder_);
    }
    void execute() {
        for (Call& call : program_) {
            files_->execute(call.get(), {amounts_, buffers_, requests_});
            requests_.for_each(
                [](u64, MPI_Request& request) { MPI_Wait(&request, MPI_STATUS_IGNORE); });
            requests_.clear();
        }
    }
    void run() {
        prepare();
        for (int round = 0; round < 2; ++round) {
            execute();
            files_->reset();
        }
    }
    /// Bytes of the only file; read before the files are removed.
    [[nodiscard]] u64 file_size() const {
        test_world().barrier();
        for (const auto& entry : fs::recursive_directory_iterator(folder_)) {
            if (entry.is_regular_file()) return entry.file_size();
        }
        return 0;
    }

    std::vector<Call> program_;
    Amounts amounts_;
    Buffers buffers_;
    FileTable table_of_files_;
    std::optional<Files> files_;
    fs::path folder_;
};

TEST_F(ReplayFilesTest, OffsetsAreThoseRecorded) {
    const u64 file = builder_.file_handle(4, builder_.world());
    add_open(file);
    add_transfer(F::File_write_at, kWrite, file, 400, u64{me()} * 4000);
    add_transfer(F::File_write_at_all, kWrite, file, 800, u64{me()} * 4000 + 400);
    add_transfer(F::File_read_at, kRead, file, 400, u64{me()} * 4000);
    add_transfer(F::File_read_at_all, kRead, file, 800, u64{me()} * 4000 + 400);
    add_close(file);
    run();
    EXPECT_EQ(file_size(), u64{size() - 1} * 4000 + 1200);
}

TEST_F(ReplayFilesTest, PointersMove) {
    const u64 file = builder_.file_handle(0, builder_.world());
    add_open(file);
    add_seek(F::File_seek, file, 0, u64{me()} * 100);
    add_transfer(F::File_write, kWrite, file, 40);
    add_seek(F::File_seek, file, 1, u64{me()} * 100);
    add_transfer(F::File_read, kRead, file, 40);
    add_transfer(F::File_write_all, kWrite, file, 40);
    add_transfer(F::File_read_all, kRead, file, 40);
    add_seek(F::File_seek_shared, file, 0, 0);
    add_transfer(F::File_write_shared, kWrite, file, 16);
    add_transfer(F::File_write_ordered, kWrite, file, 16);
    add_seek(F::File_seek_shared, file, 0, 0);
    add_transfer(F::File_read_shared, kRead, file, 16);
    add_transfer(F::File_read_ordered, kRead, file, 16);
    add_close(file);
    run();
    EXPECT_EQ(inferences_.of(Inference::seek), 2U);
}

TEST_F(ReplayFilesTest, TransfersMayHaveRequestsOrBeSplit) {
    const u64 file = builder_.file_handle(0, builder_.world());
    add_open(file);
    add_begin(F::File_iwrite_at, kWrite, file, 200, 11, 0);
    add_begin(F::File_iread_at, kRead, file, 200, 12, 0);
    add_begin(F::File_iwrite, kWrite, file, 20, 13);
    add_begin(F::File_iread, kRead, file, 20, 14);
    add_begin(F::File_iwrite_at_all, kWrite, file, 200, 15, 8);
    add_begin(F::File_iread_at_all, kRead, file, 200, 16, 8);
    const std::pair<F, F> halves[] = {{F::File_write_at_all_begin, F::File_write_at_all_end},
                                      {F::File_read_at_all_begin, F::File_read_at_all_end},
                                      {F::File_write_all_begin, F::File_write_all_end},
                                      {F::File_read_all_begin, F::File_read_all_end},
                                      {F::File_write_ordered_begin, F::File_write_ordered_end},
                                      {F::File_read_ordered_begin, F::File_read_ordered_end}};
    for (const auto& [begin, end] : halves) {
        add_begin(begin, kRead, file, 12, 17, 0);
        add(end, {record(T::IoOperationComplete, {file, 12, 17})});
    }
    add_close(file);
    run();
    EXPECT_EQ(inferences_.of(Inference::file_call_left_out), 0U);
}

TEST_F(ReplayFilesTest, ViewsGiveEveryProcessAPart) {
    const u64 file = builder_.file_handle(0, builder_.world());
    add_open(file);
    add(F::File_set_view);
    // Offsets count 10 bytes.
    for (u64 step = 0; step < 3; ++step) {
        add_transfer(F::File_write_at_all, kWrite, file, 200, 20 * step);
    }
    add_transfer(F::File_read_all, kRead, file, 600);
    add(F::File_sync);
    add(F::File_set_size);
    if (kPreallocatesInViews) add(F::File_preallocate);
    add(F::File_set_atomicity);
    add_close(file);
    run();
    EXPECT_EQ(inferences_.of(Inference::file_view), 2U);
    EXPECT_EQ(inferences_.of(Inference::file_guessed), kPreallocatesInViews ? 10U : 8U);
    EXPECT_EQ(file_size(), u64{size()} * 1000);
}

TEST_F(ReplayFilesTest, CallsThatProcessesSeeDifferentlyAreLeftOutEverywhere) {
    const u64 first = builder_.file_handle(0, builder_.world());
    const u64 second = builder_.file_handle(1, builder_.world());
    add_open(first);
    add_open(second);
    if (me() % 2 == 1) add_transfer(F::File_write_at, kWrite, first, 8, 0);
    add(F::File_sync);
    add_close(first);
    add_close(second);
    run();
    EXPECT_EQ(inferences_.of(Inference::file_call_left_out), size() == 1 ? 0U : 2U);
}

TEST_F(ReplayFilesTest, FilesOfOneProcessAskNobody) {
    u64 file = 0;
    for (u32 rank = 0; rank < size(); ++rank) {
        const u64 handle = builder_.file_handle(rank, builder_.self());
        if (rank == me()) file = handle;
    }
    add_open(file);
    if (me() == 0) add(F::File_sync);
    add_transfer(F::File_write, kWrite, file, 400);
    add(F::File_set_view);
    add_transfer(F::File_write, kWrite, file, 400);
    add_close(file);
    run();
    EXPECT_EQ(inferences_.of(Inference::file_call_left_out), 0U);
}

TEST_F(ReplayFilesTest, ReadsFindWhatNobodyWrote) {
    const u64 file = builder_.file_handle(0, builder_.world());
    add_open(file, kReadOnly);
    add_transfer(F::File_read_at, kRead, file, 500, 500);
    add_transfer(F::File_read, kRead, file, 3000);
    add_close(file);
    run();
    EXPECT_EQ(file_size(), 3500U) << "the farthest offset and the longest run";
}

TEST_F(ReplayFilesTest, DeletedFilesCanBeOpenedAgain) {
    const u64 file = builder_.file_handle(9, builder_.world());
    add_open(file);
    add_transfer(F::File_write, kWrite, file, 100);
    add_close(file);
    add(F::File_delete, {record(T::IoDeleteFile, {0, 9})});
    add_open(file, kReadOnly);
    add_transfer(F::File_read, kRead, file, 100);
    run();
    EXPECT_EQ(inferences_.of(Inference::file_delete), 2U);
}

TEST_F(ReplayFilesTest, FailedOpensAndUnknownHandles) {
    builder_.file_handle(0, builder_.world());
    add(F::File_open);
    run();
    EXPECT_EQ(inferences_.of(Inference::file_call_left_out), 2U);
    Call call(F::File_open, {record(T::IoCreateHandle, {77, 0, 0, 0})});
    EXPECT_THROW(files_->prepare(call.get(), amounts_, buffers_), Error);
    EXPECT_THROW(files_->execute(call.get(), {amounts_, buffers_, requests_}), Error);
}

}  // namespace
}  // namespace tracefold::testing
