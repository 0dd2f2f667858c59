// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/remote_readers.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"

#include <exception>
#include <optional>
#include <utility>

namespace tracefold {

namespace {

/// Orders per message, unless process 0 waits.
constexpr std::size_t kOrdersOfMessage = 4;

/// The readers of one process. Process 0 waits for each batch that it requests: after an error, it
/// gets the error in place of all further batches.
class ReadersForFirst {
  public:
    ReadersForFirst(Communicator& comm, TraceFile& file) : comm_(comm), file_(file) {}

    void run(const std::string& task) {
        failure_ = failure_of([&] { prepare(task); });
        for (bool stopped = false; !stopped;) {
            const std::string orders = comm_.receive(0);
            for (const ReaderOrder& order :
                 from_bytes<std::vector<ReaderOrder>>(orders, "the orders of process 0")) {
                stopped = order.kind == ReaderOrder::Kind::stop;
                if (!stopped) obey(order);
            }
        }
        while (!sends_.empty()) forget_sent();
    }

  private:
    void prepare(const std::string& task) {
        task_ = from_bytes<ReadingTask>(task, "the task of a process");
        for (const u32 location : task_.locations) {
            readers_.emplace_back(file_, location, find_patch(task_.known, location),
                                  Times(task_.times, task_.seed), task_.limits);
        }
    }

    void obey(const ReaderOrder& order) {
        std::string batch;
        if (!failure_) failure_ = failure_of([&] { batch = follow(order); });
        if (order.kind != ReaderOrder::Kind::fill) return;
        sends_.push_back(comm_.start_send(0, failure_ ? failed_batch() : std::move(batch)));
        forget_sent();
    }
    /// The batch, if the order requests one.
    std::string follow(const ReaderOrder& order) {
        CallBatchReader& reader = readers_.at(order.reader);
        switch (order.kind) {
            case ReaderOrder::Kind::fill:
                reader.fill(batch_);
                return batch_.to_bytes();
            case ReaderOrder::Kind::begin:
                reader.begin({order.first, order.second});
                break;
            case ReaderOrder::Kind::read:
                reader.read(order.first);
                break;
            case ReaderOrder::Kind::leave_out:
                reader.leave_out(order.first);
                break;
            case ReaderOrder::Kind::stop:
                break;
        }
        return {};
    }
    [[nodiscard]] std::string failed_batch() const {
        AheadBatch batch;
        batch.is_last = true;
        batch.failure = std::make_exception_ptr(*failure_);
        return batch.to_bytes();
    }
    void forget_sent() {
        while (!sends_.empty() && sends_.front()->test()) sends_.pop_front();
    }

    Communicator& comm_;
    TraceFile& file_;
    ReadingTask task_;
    std::deque<CallBatchReader> readers_;
    AheadBatch batch_;
    std::optional<Error> failure_;
    std::deque<std::unique_ptr<MessageInFlight>> sends_;
};

}  // namespace

RemoteReaders::RemoteReaders(Communicator& comm)
    : comm_(comm), processes_(static_cast<std::size_t>(comm.size())) {}

RemoteReaders::~RemoteReaders() {
    try {
        for (int process = 1; process < size(); ++process) comm_.send(process, {});
    } catch (const std::exception&) {
        // The error is reported at the next communication.
    }
}

ReaderPlace RemoteReaders::add(int process, u32 location, const ReplayPatch* known) {
    ReadingTask& task = processes_[static_cast<std::size_t>(process)].task;
    task.locations.push_back(location);
    if (known != nullptr) task.known.push_back(*known);
    return {process, static_cast<u32>(task.locations.size() - 1)};
}

void RemoteReaders::start(Times times, AheadLimits limits) {
    for (int process = 1; process < size(); ++process) {
        ReadingTask& task = processes_[static_cast<std::size_t>(process)].task;
        task.times = times.kind;
        task.seed = times.seed;
        task.limits = limits;
        comm_.send(process, to_bytes(std::exchange(task, {})));
    }
}

void RemoteReaders::fill(ReaderPlace reader, AheadBatch& batch) {
    Process& process = processes_[static_cast<std::size_t>(reader.process)];
    process.wanted.push_back(&batch);
    order(reader.process, {ReaderOrder::Kind::fill, reader.number});
}

void RemoteReaders::begin(ReaderPlace reader, const IterationBegin& begin) {
    order(reader.process, {ReaderOrder::Kind::begin, reader.number, begin.call, begin.from});
}

void RemoteReaders::read(ReaderPlace reader, u64 iterations) {
    order(reader.process, {ReaderOrder::Kind::read, reader.number, iterations});
}

void RemoteReaders::leave_out(ReaderPlace reader, u64 iterations) {
    order(reader.process, {ReaderOrder::Kind::leave_out, reader.number, iterations});
}

void RemoteReaders::order(int process, const ReaderOrder& order) {
    std::vector<ReaderOrder>& orders = processes_[static_cast<std::size_t>(process)].orders;
    orders.push_back(order);
    if (orders.size() >= kOrdersOfMessage) send_orders(process);
}

void RemoteReaders::send_orders(int process) {
    std::vector<ReaderOrder>& orders = processes_[static_cast<std::size_t>(process)].orders;
    if (orders.empty()) return;
    comm_.send(process, to_bytes(orders));
    orders.clear();
}

bool RemoteReaders::take_next(int process) {
    Process& it = processes_[static_cast<std::size_t>(process)];
    send_orders(process);
    if (it.wanted.empty()) return false;
    if (!it.coming) it.coming = comm_.start_receive(process);
    if (!it.coming->test()) return false;
    const std::string bytes = it.coming->take();
    it.coming.reset();
    AheadBatch& batch = *it.wanted.front();
    it.wanted.pop_front();
    batch.take(bytes);
    batch.is_ready = true;
    return true;
}

void RemoteReaders::stop() {
    for (int process = 1; process < size(); ++process) {
        order(process, {ReaderOrder::Kind::stop});
        send_orders(process);
    }
    for (int process = 1; process < size(); ++process) {
        while (!processes_[static_cast<std::size_t>(process)].wanted.empty()) take_next(process);
    }
}

void read_for_first(Communicator& comm, TraceFile& file) {
    for (std::string task = comm.receive(0); !task.empty(); task = comm.receive(0)) {
        ReadersForFirst(comm, file).run(task);
    }
}

}  // namespace tracefold
