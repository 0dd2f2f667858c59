// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/calls_ahead.hpp"

#include "core/start_thread.hpp"
#include "replay/offering_reader.hpp"
#include "replay/packed_calls.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace tracefold::inline replay {

namespace {

constexpr std::size_t kWaitingBytes = std::size_t{16} << 20U;
/// Of a call with its actions, about.
constexpr std::size_t kCallBytes = 256;
constexpr std::size_t kLeastCalls = 8;
constexpr std::size_t kMostCalls = 256;
/// A sleeping thread is woken when so many batches are wanted, or when somebody waits for one:
/// waking it takes as long as reading some calls.
constexpr std::size_t kWorthWaking = 16;

/// Of iterations that are offered: so many for a location, or fewer where there are many locations.
constexpr std::size_t kMostOfferedCalls = 4096;
constexpr std::size_t kMostOfferedCallsOfAll = std::size_t{1} << 19U;

/// Calls that follow one another, or the times of iterations that are left out.
struct AheadBatch {
    PackedCalls calls;
    std::vector<u64> times;
    ComingIterations coming;  ///< behind the calls
    bool is_last = false;
    std::exception_ptr failure;  ///< behind the calls
    bool is_ready = false;

    void clear() {
        calls.clear();
        times.clear();
        coming = {};
    }
    void fill(std::size_t most, OfferingReader& reader) {
        MpiCall call;
        while (calls.size() < most) {
            if (!reader.next(call)) {
                coming = reader.coming();
                is_last = coming.count == 0;
                return;
            }
            calls.add(call);
        }
    }
    void fill_times(u64 iterations, std::size_t calls_of_each, OfferingReader& reader) {
        times.resize(iterations * calls_of_each * 2);
        for (u64 i = 0; i < iterations; ++i) {
            reader.read_extents(times.data() + i * calls_of_each * 2);
        }
    }
};

}  // namespace

/// The calls of one location: two batches take turns.
class CallsAhead::Stream final : public IterationSource {
  public:
    Stream(u32 location, const ReplayPatch* known, Times times)
        : location_(location), known_(known), times_(times) {}

    bool is_busy = false;  ///< some thread fills a batch

    /// Before anything is read. `most`: calls of a batch; `most_offered`: as OfferingReader has it.
    void limit(std::size_t most, std::size_t most_offered) {
        most_ = most;
        most_offered_ = most_offered;
    }
    void read_directly(TraceFile& file) { open(file); }
    void read_by(Readers& readers) { readers_ = &readers; }
    bool next(MpiCall& call);

    [[nodiscard]] ComingIterations coming() const override { return coming_; }
    /// The same with any number of threads: the reader may have filled both batches.
    u64 begin_at(u64 call) override;
    void take_begin() {
        if (calls_) calls_->begin(begin_);
    }
    void read(u64 iterations) override;
    void leave_out(u64 iterations) override;
    const u64* next_times() override;

    /// For one thread at a time, which calls take_begin() before, while nobody changes it. What
    /// reading throws is kept for those who take calls.
    void fill(TraceFile& file, std::size_t batch) {
        AheadBatch& next = batches_[batch];
        next.clear();
        try {
            if (!ended_ && !calls_) open(file);
            if (left_out_ != 0) {
                fill_times(next);
            } else if (!ended_) {
                next.fill(most_, *calls_);
            }
        } catch (...) {
            next.failure = std::current_exception();
            next.is_last = true;
        }
        ended_ = ended_ || next.is_last;
        next.is_last = ended_;
    }
    AheadBatch& batch(std::size_t number) { return batches_[number]; }

  private:
    void open(TraceFile& file) { calls_.emplace(file, location_, times_, known_, most_offered_); }
    void fill_times(AheadBatch& next) {
        const std::size_t bytes = iteration_calls_ * 2 * sizeof(u64);
        const u64 iterations = std::clamp<u64>(most_ * kCallBytes / bytes, 1, left_out_);
        left_out_ -= iterations;
        next.fill_times(iterations, iteration_calls_, *calls_);
    }
    void take_next_batch();
    void take_over();
    void go_on();

    u32 location_;
    const ReplayPatch* known_;
    Times times_;
    Readers* readers_ = nullptr;  ///< null: none but who takes the calls
    std::optional<OfferingReader> calls_;
    std::size_t most_ = 0;
    std::size_t most_offered_ = 0;
    IterationBegin begin_;             ///< see OfferingReader
    bool ended_ = false;               ///< all is read
    u64 left_out_ = 0;                 ///< iterations whose times are still to be read
    std::size_t iteration_calls_ = 0;  ///< of each
    std::array<AheadBatch, 2> batches_;
    std::size_t current_ = 0;      ///< batch
    std::size_t taken_ = 0;        ///< calls, or times, of it
    std::vector<Action> actions_;  ///< of the last call that was taken
    bool has_batch_ = false;
    ComingIterations coming_;
    std::vector<u64> own_times_;  ///< without readers
};

/// Threads that fill the batches that are wanted; who waits for one fills batches as well.
class CallsAhead::Readers {
  public:
    explicit Readers(TraceFile& file) : file_(file) {}
    Readers(const Readers&) = delete;
    Readers& operator=(const Readers&) = delete;
    ~Readers() {
        {
            const std::scoped_lock lock(mutex_);
            ends_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) thread.join();
    }

    /// False if the system has no thread for it.
    bool start_one() {
        threads_.push_back(try_start_thread([this] { run(); }));
        if (threads_.back().joinable()) return true;
        threads_.pop_back();
        return false;
    }
    [[nodiscard]] bool none() const { return threads_.empty(); }

    void want(Stream& stream, std::size_t batch) {
        {
            const std::scoped_lock lock(mutex_);
            wanted_.push_back({&stream, batch});
            if (wanted_.size() < kWorthWaking) return;
        }
        changed_.notify_one();
    }
    void wait_for(Stream& stream, std::size_t batch) {
        std::unique_lock lock(mutex_);
        while (!stream.batch(batch).is_ready) {
            if (wanted_.size() > 1) changed_.notify_one();
            if (fill_one(lock, &stream)) continue;
            waits_ = true;
            is_ready_.wait(lock);
            waits_ = false;
        }
    }
    /// While no batch is begun.
    void change(const auto& change) {
        const std::scoped_lock lock(mutex_);
        change();
    }
    void give_back(Stream& stream, std::size_t batch) {
        stream.batch(batch).is_ready = false;
        want(stream, batch);
    }

  private:
    struct Wanted {
        Stream* stream;
        std::size_t batch;
    };

    void run() {
        std::unique_lock lock(mutex_);
        while (!ends_) {
            if (!fill_one(lock, nullptr)) changed_.wait(lock);
        }
    }

    /// False if there is no batch to be filled by this thread. One of the stream `first` comes
    /// first.
    bool fill_one(std::unique_lock<std::mutex>& lock, const Stream* first) {
        const std::optional<Wanted> next = take(first);
        if (!next) return false;
        Stream& stream = *next->stream;
        stream.is_busy = true;
        stream.take_begin();
        lock.unlock();
        stream.fill(file_, next->batch);
        lock.lock();
        stream.is_busy = false;
        stream.batch(next->batch).is_ready = true;
        if (waits_) is_ready_.notify_one();
        return true;
    }

    /// The batches of a stream are filled one after the other.
    std::optional<Wanted> take(const Stream* first) {
        auto found = std::ranges::find(wanted_, first, &Wanted::stream);
        if (first == nullptr || found == wanted_.end() || first->is_busy) {
            found = std::ranges::find_if(wanted_,
                                         [](const Wanted& one) { return !one.stream->is_busy; });
        }
        if (found == wanted_.end()) return std::nullopt;
        const Wanted taken = *found;
        wanted_.erase(found);
        return taken;
    }

    TraceFile& file_;
    std::mutex mutex_;
    std::condition_variable changed_;  ///< of what is wanted
    std::condition_variable is_ready_;
    std::deque<Wanted> wanted_;
    bool waits_ = false;  ///< who takes the calls
    bool ends_ = false;
    std::vector<std::thread> threads_;
};

void CallsAhead::Stream::take_next_batch() {
    const AheadBatch& batch = batches_[current_];
    if (batch.failure) std::rethrow_exception(batch.failure);
    readers_->give_back(*this, current_);
    current_ = 1 - current_;
    taken_ = 0;
    readers_->wait_for(*this, current_);
}

bool CallsAhead::Stream::next(MpiCall& call) {
    if (readers_ == nullptr) {
        if (calls_->next(call)) return true;
        coming_ = calls_->coming();
        return false;
    }
    if (!has_batch_) readers_->wait_for(*this, current_);
    has_batch_ = true;
    while (!batches_[current_].times.empty() || taken_ == batches_[current_].calls.size()) {
        const AheadBatch& batch = batches_[current_];
        if (batch.failure) std::rethrow_exception(batch.failure);
        coming_ = batch.coming;
        if (batch.is_last || coming_.count != 0) return false;
        take_next_batch();
    }
    batches_[current_].calls.read(call, actions_);
    ++taken_;
    return true;
}

/// The reader has nothing more to do for this location.
void CallsAhead::Stream::take_over() {
    iteration_calls_ = coming_.calls;
    coming_ = {};
    if (readers_ != nullptr) readers_->wait_for(*this, 1 - current_);
}

/// It has again.
void CallsAhead::Stream::go_on() {
    if (readers_ == nullptr) return;
    has_batch_ = false;
    taken_ = 0;
    readers_->give_back(*this, current_);
    readers_->give_back(*this, 1 - current_);
}

void CallsAhead::Stream::read(u64 iterations) {
    take_over();
    calls_->read(iterations);
    go_on();
}

void CallsAhead::Stream::leave_out(u64 iterations) {
    take_over();
    calls_->leave_out(iterations);
    if (times_.kind != Times::skip) left_out_ = iterations;
    go_on();
}

u64 CallsAhead::Stream::begin_at(u64 call) {
    const IterationBegin begin{call, call + 2 * most_ + 1};
    if (readers_ == nullptr) {
        begin_ = begin;
        take_begin();
    } else {
        readers_->change([&] { begin_ = begin; });
    }
    return begin.from;
}

const u64* CallsAhead::Stream::next_times() {
    const std::size_t size = iteration_calls_ * 2;
    if (readers_ == nullptr) {
        own_times_.resize(size);
        calls_->read_extents(own_times_.data());
        return own_times_.data();
    }
    if (!has_batch_) readers_->wait_for(*this, current_);
    has_batch_ = true;
    if (taken_ == batches_[current_].times.size()) take_next_batch();
    const AheadBatch& batch = batches_[current_];
    if (batch.failure) std::rethrow_exception(batch.failure);
    taken_ += size;
    return batch.times.data() + taken_ - size;
}

CallsAhead::CallsAhead(TraceFile& file, u32 threads, Times times)
    : file_(file), threads_(threads), times_(times) {}

/// Threads end before what they fill.
CallsAhead::~CallsAhead() { readers_.reset(); }

CallsAhead::Calls CallsAhead::add(u32 location, const ReplayPatch* known) {
    streams_.push_back(std::make_unique<Stream>(location, known, times_));
    Stream* const stream = streams_.back().get();
    return {[stream](MpiCall& call) { return stream->next(call); }, stream};
}

void CallsAhead::start() {
    const std::size_t streams = std::max<std::size_t>(streams_.size(), 1);
    const std::size_t most =
        std::clamp(kWaitingBytes / kCallBytes / 2 / streams, kLeastCalls, kMostCalls);
    const std::size_t most_offered =
        std::clamp(kMostOfferedCallsOfAll / streams, RepeatedCalls::kMostCalls, kMostOfferedCalls);
    for (const auto& stream : streams_) stream->limit(most, offers_ ? most_offered : 0);
    readers_ = std::make_unique<Readers>(file_);
    const std::size_t useful = std::min<std::size_t>(threads_, streams_.size() + 1);
    for (std::size_t thread = 1; thread < useful; ++thread) {
        if (!readers_->start_one()) break;
    }
    if (readers_->none()) {
        for (const auto& stream : streams_) stream->read_directly(file_);
        return;
    }
    for (const auto& stream : streams_) stream->read_by(*readers_);
    for (const std::size_t batch : {0U, 1U}) {
        for (const auto& stream : streams_) readers_->want(*stream, batch);
    }
}

}  // namespace tracefold::inline replay
