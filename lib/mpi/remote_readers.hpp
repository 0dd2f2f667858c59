// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/communicator.hpp"
#include "mpi/calls/batch_reader.hpp"
#include "mpi/replay_patch.hpp"

#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace tracefold {

/// The process that reads a location remotely, and the reader's number there.
struct ReaderPlace {
    int process = 0;
    u32 number = 0;
};

/// A command from process 0 to a reader of another process.
struct ReaderOrder {
    enum class Kind : u8 {
        fill,       ///< a batch, sent back to process 0
        begin,      ///< IterationBegin: call, from
        read,       ///< iterations to read
        leave_out,  ///< iterations to skip
        stop,       ///< all readers
    };

    Kind kind{};
    u32 reader = 0;
    u64 first = 0;
    u64 second = 0;

    static void each_field(auto& self, auto& visit) {
        visit(self.kind, self.reader, self.first, self.second);
    }
};

/// The locations that a process reads for process 0, with its settings.
struct ReadingTask {
    Times::Kind times{};
    u64 seed = 0;
    AheadLimits limits;
    std::vector<u32> locations;
    std::vector<ReplayPatch> known;  ///< patches of these locations

    static void each_field(auto& self, auto& visit) {
        visit(self.times, self.seed, self.limits, self.locations, self.known);
    }
};

/// Runs on process 0 and controls the other processes, which read calls in read_for_first().
/// Batches are filled in the order of requests. Memory: the requested batches, on both sides
/// together. Functions throw Error(io).
class RemoteReaders {
  public:
    explicit RemoteReaders(Communicator& comm);
    RemoteReaders(const RemoteReaders&) = delete;
    RemoteReaders& operator=(const RemoteReaders&) = delete;
    /// Releases the other processes.
    ~RemoteReaders();

    /// Processes, including this one.
    [[nodiscard]] int size() const { return comm_.size(); }

    /// Before start(): assigns a location to another process.
    ReaderPlace add(int process, u32 location, const ReplayPatch* known);
    void start(Times times, AheadLimits limits);
    /// Requests a batch, which must stay valid until it is ready, or stop().
    void fill(ReaderPlace reader, AheadBatch& batch);
    /// Remote versions of the functions of CallBatchReader.
    void begin(ReaderPlace reader, const IterationBegin& begin);
    void read(ReaderPlace reader, u64 iterations);
    void leave_out(ReaderPlace reader, u64 iterations);
    /// Receives the next batch of a process if it has arrived: true if one is ready now.
    bool take_next(int process);
    /// After start(): ends all requests. Locations may be added again.
    void stop();

  private:
    struct Process {
        ReadingTask task;
        std::vector<ReaderOrder> orders;  ///< not yet sent
        std::deque<AheadBatch*> wanted;   ///< in the order of arrival
        std::unique_ptr<MessageInFlight> coming;
    };

    void order(int process, const ReaderOrder& order);
    void send_orders(int process);

    Communicator& comm_;
    std::vector<Process> processes_;  ///< by rank
};

/// On another process: serves process 0 until released; sends errors in place of a batch.
void read_for_first(Communicator& comm, TraceFile& file);

}  // namespace tracefold
