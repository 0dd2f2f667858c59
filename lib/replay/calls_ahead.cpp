// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/calls_ahead.hpp"

#include "core/start_thread.hpp"
#include "replay/packed_calls.hpp"

#include <algorithm>
#include <array>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t kWaitingBytes = std::size_t{16} << 20U;
/// Of a call with its actions, about.
constexpr std::size_t kCallBytes = 256;
constexpr std::size_t kLeastCalls = 8;
constexpr std::size_t kMostCalls = 256;
/// A sleeping reader is woken when so many batches are wanted, or when somebody waits for one:
/// waking it takes as long as reading some calls.
constexpr std::size_t kWorthWaking = 16;

MpiCallReader make_reader(TraceFile& file, u32 location, Times times, const ReplayPatch* known) {
    MpiCallReader reader(file, location, times);
    if (known != nullptr) reader.recall(*known);
    return reader;
}

/// Calls that follow one another.
struct AheadBatch {
    PackedCalls calls;
    bool is_last = false;
    std::exception_ptr failure;  ///< behind the calls
    bool is_ready = false;

    /// `open` gives the reader. What it throws, or reading does, is kept for those who take calls.
    template <class Open>
    void fill(std::size_t most, const Open& open) {
        try {
            MpiCallReader& reader = open();
            while (calls.size() < most && !is_last) {
                MpiCall call;
                is_last = !reader.next(call);
                if (!is_last) calls.add(call);
            }
        } catch (...) {
            failure = std::current_exception();
            is_last = true;
        }
    }
};

}  // namespace

/// The calls of one location: two batches take turns.
class CallsAhead::Stream {
  public:
    Stream(u32 location, const ReplayPatch* known) : location_(location), known_(known) {}

    void read_directly(TraceFile& file, Times times) {
        direct_.emplace(make_reader(file, location_, times, known_));
    }
    void read_by(Reader& reader, std::size_t most) {
        reader_ = &reader;
        most_ = most;
    }
    bool next(MpiCall& call);

    /// For its reader.
    void fill(TraceFile& file, Times times, std::size_t batch) {
        AheadBatch& next = batches_[batch];
        next.calls.clear();
        if (!ended_) {
            next.fill(most_, [&]() -> MpiCallReader& {
                if (!calls_) calls_.emplace(make_reader(file, location_, times, known_));
                return *calls_;
            });
        }
        ended_ = ended_ || next.is_last;
        next.is_last = ended_;
    }
    AheadBatch& batch(std::size_t number) { return batches_[number]; }

  private:
    u32 location_;
    const ReplayPatch* known_;
    std::optional<MpiCallReader> direct_;
    Reader* reader_ = nullptr;
    std::optional<MpiCallReader> calls_;
    std::size_t most_ = 0;
    bool ended_ = false;  ///< all is read
    std::array<AheadBatch, 2> batches_;
    std::size_t current_ = 0;      ///< batch
    std::size_t taken_ = 0;        ///< calls of it
    std::vector<Action> actions_;  ///< of the last call that was taken
    bool has_batch_ = false;
};

/// A thread that reads the calls of some locations.
class CallsAhead::Reader {
  public:
    Reader(const TraceFile& file, Times times) : file_(file.clone_reader()), times_(times) {}
    Reader(const Reader&) = delete;
    Reader& operator=(const Reader&) = delete;
    ~Reader() {
        {
            const std::scoped_lock lock(mutex_);
            ends_ = true;
        }
        wanted_changed_.notify_all();
        if (thread_.joinable()) thread_.join();
    }

    /// False if the system has no thread for it.
    bool start() {
        thread_ = try_start_thread([this] { run(); });
        return thread_.joinable();
    }
    void want(Stream& stream, std::size_t batch) {
        {
            const std::scoped_lock lock(mutex_);
            wanted_.emplace_back(&stream, batch);
            if (wanted_.size() < kWorthWaking) return;
        }
        wanted_changed_.notify_one();
    }
    void wait_for(AheadBatch& batch) {
        std::unique_lock lock(mutex_);
        if (batch.is_ready) return;
        wanted_changed_.notify_one();
        is_ready_.wait(lock, [&batch] { return batch.is_ready; });
    }
    void give_back(Stream& stream, std::size_t batch) {
        stream.batch(batch).is_ready = false;
        want(stream, batch);
    }

  private:
    void run() {
        std::unique_lock lock(mutex_);
        while (true) {
            wanted_changed_.wait(lock, [this] { return ends_ || !wanted_.empty(); });
            if (ends_) return;
            const auto [stream, batch] = wanted_.front();
            wanted_.pop_front();
            lock.unlock();
            stream->fill(*file_, times_, batch);
            lock.lock();
            stream->batch(batch).is_ready = true;
            is_ready_.notify_one();
        }
    }

    std::unique_ptr<TraceFile> file_;
    Times times_;
    std::mutex mutex_;
    std::condition_variable wanted_changed_;
    std::condition_variable is_ready_;
    std::deque<std::pair<Stream*, std::size_t>> wanted_;
    bool ends_ = false;
    std::thread thread_;
};

bool CallsAhead::Stream::next(MpiCall& call) {
    if (direct_) return direct_->next(call);
    if (!has_batch_) reader_->wait_for(batches_[current_]);
    has_batch_ = true;
    while (taken_ == batches_[current_].calls.size()) {
        const AheadBatch& batch = batches_[current_];
        if (batch.failure) std::rethrow_exception(batch.failure);
        if (batch.is_last) return false;
        reader_->give_back(*this, current_);
        current_ = 1 - current_;
        taken_ = 0;
        reader_->wait_for(batches_[current_]);
    }
    batches_[current_].calls.read(call, actions_);
    ++taken_;
    return true;
}

CallsAhead::CallsAhead(TraceFile& file, u32 threads, Times times)
    : file_(file), threads_(threads), times_(times) {}

/// Threads end before what they fill.
CallsAhead::~CallsAhead() { readers_.clear(); }

CallsAhead::Next CallsAhead::add(u32 location, const ReplayPatch* known) {
    streams_.push_back(std::make_unique<Stream>(location, known));
    return [stream = streams_.back().get()](MpiCall& call) { return stream->next(call); };
}

void CallsAhead::start() {
    for (u32 i = 1; i < threads_ && i <= streams_.size(); ++i) {
        readers_.push_back(std::make_unique<Reader>(file_, times_));
        if (readers_.back()->start()) continue;
        readers_.pop_back();
        break;
    }
    const std::size_t most =
        std::clamp(kWaitingBytes / kCallBytes / 2 / std::max<std::size_t>(streams_.size(), 1),
                   kLeastCalls, kMostCalls);
    if (readers_.empty()) {
        for (const auto& stream : streams_) stream->read_directly(file_, times_);
        return;
    }
    std::vector<std::pair<Reader*, Stream*>> shared;
    for (std::size_t i = 0; i < streams_.size(); ++i) {
        shared.emplace_back(readers_[i % readers_.size()].get(), streams_[i].get());
        streams_[i]->read_by(*shared.back().first, most);
    }
    for (const std::size_t batch : {0U, 1U}) {
        for (const auto& [reader, stream] : shared) reader->want(*stream, batch);
    }
}

}  // namespace tracefold
