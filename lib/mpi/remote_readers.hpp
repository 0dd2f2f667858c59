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

/// Where a location is read by another process: that process, and its number there.
struct ReaderPlace {
    int process = 0;
    u32 number = 0;
};

/// What process 0 tells a reader of another process.
struct ReaderOrder {
    enum class Kind : u8 {
        fill,       ///< a batch, which comes back
        begin,      ///< IterationBegin: call, from
        read,       ///< so many iterations
        leave_out,  ///< so many iterations
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

/// The locations that a process reads for process 0, and how.
struct ReadingTask {
    Times::Kind times{};
    u64 seed = 0;
    AheadLimits limits;
    std::vector<u32> locations;
    std::vector<ReplayPatch> known;  ///< what their calls recall

    static void each_field(auto& self, auto& visit) {
        visit(self.times, self.seed, self.limits, self.locations, self.known);
    }
};

/// On process 0: the other processes, which read calls for it in read_for_first(). They fill
/// batches in the order in which these are asked for. Memory: here and there together, the batches
/// that were asked for. Functions throw Error(io).
class RemoteReaders {
  public:
    explicit RemoteReaders(Communicator& comm);
    RemoteReaders(const RemoteReaders&) = delete;
    RemoteReaders& operator=(const RemoteReaders&) = delete;
    /// Lets the others go.
    ~RemoteReaders();

    /// This one among them.
    [[nodiscard]] int size() const { return comm_.size(); }

    /// Before start(): another process, not this one, reads a location.
    ReaderPlace add(int process, u32 location, const ReplayPatch* known);
    void start(Times times, AheadLimits limits);
    /// The batch is to be filled, and must stay until it is ready, or stop().
    void fill(ReaderPlace reader, AheadBatch& batch);
    /// Orders as CallBatchReader has them.
    void begin(ReaderPlace reader, const IterationBegin& begin);
    void read(ReaderPlace reader, u64 iterations);
    void leave_out(ReaderPlace reader, u64 iterations);
    /// Takes the next batch of a process if it has come: true if one is ready now.
    bool take_next(int process);
    /// After start(): ends what was begun. Others may be added again.
    void stop();

  private:
    struct Process {
        ReadingTask task;
        std::vector<ReaderOrder> orders;  ///< that were not sent yet
        std::deque<AheadBatch*> wanted;   ///< in the order in which they come
        std::unique_ptr<MessageInFlight> coming;
    };

    void order(int process, const ReaderOrder& order);
    void send_orders(int process);

    Communicator& comm_;
    std::vector<Process> processes_;  ///< by rank
};

/// On another process: reads what process 0 asks for until it lets go, and tells it in place of a
/// batch what went wrong.
void read_for_first(Communicator& comm, TraceFile& file);

}  // namespace tracefold
