// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/calls/call_prefetcher.hpp"

#include "base/parallel.hpp"
#include "file/location_blocks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <list>
#include <map>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

namespace tracefold {

namespace {

constexpr std::size_t kWaitingBytes = std::size_t{16} << 20U;
constexpr std::size_t kLeastCalls = 8;
constexpr std::size_t kMostCalls = 256;
/// A sleeping thread is woken for this many wanted batches, or when the consumer waits for one:
/// waking it takes as long as reading some calls.
constexpr std::size_t kWorthWaking = 16;

/// Limits of the calls of offered iterations: per location, and in total.
constexpr std::size_t kMostOfferedCalls = 4096;
constexpr std::size_t kMostOfferedCallsOfAll = std::size_t{1} << 19U;

/// About what a reader of calls without times takes.
constexpr u64 kReaderBytes = 16384;

/// The reader's part of the work on repeated calls with times; the rest is the consumer's.
constexpr double kReading = 0.62;

/// The part that process 0, the consumer, reads itself: balances the load.
double share_of_first(int processes) {
    return std::max(0.0, (kReading - (processes - 1) * (1 - kReading)) / (processes * kReading));
}

}  // namespace

/// The calls of one location: those of a shared program, or two batches that take turns.
class CallPrefetcher::Stream final : public IterationSource {
  public:
    Stream(u32 location, const ReplayPatch* known) : location_(location), known_(known) {}

    // Of Readers:
    bool is_busy = false;
    std::array<std::size_t, 2> wanted{};  ///< batches, in the order of requests
    std::size_t wanted_batches = 0;
    std::list<Stream*>::iterator place_in_line;  ///< with wanted batches

    [[nodiscard]] u32 location() const { return location_; }
    [[nodiscard]] const ReplayPatch* known() const { return known_; }
    /// Call before reading: selects this or another process as the reader, or shared calls.
    void read_here(TraceFile& file, Times times, AheadLimits limits) {
        most_ = limits.calls;
        own_ = std::make_unique<Own>();
        own_->reader.emplace(file, location_, known_, times, limits);
    }
    void read_elsewhere(ReaderPlace place, AheadLimits limits) {
        most_ = limits.calls;
        own_ = std::make_unique<Own>();
        own_->place = place;
    }
    void share(const SharedProgram& program, u32 rank, AheadLimits limits) {
        most_ = limits.calls;
        shared_ = std::make_unique<LoopPauses<SharedCalls>>(SharedCalls(program, rank),
                                                            limits.offered != 0);
    }
    [[nodiscard]] bool is_shared() const { return shared_ != nullptr; }
    /// Without readers, calls are read on demand.
    void read_by(Readers& readers) { readers_ = &readers; }
    [[nodiscard]] ReaderPlace place() const { return own_->place; }
    bool next(MpiCall& call);

    [[nodiscard]] ComingIterations coming() const override { return coming_; }
    /// Independent of the number of threads, although the reader may have filled both batches.
    u64 begin_at(u64 call) override;
    void read(u64 iterations) override;
    void leave_out(u64 iterations) override;
    const u64* next_times() override;

    void set_begin(const IterationBegin& begin) { own_->begin = begin; }
    /// Precondition: no concurrent set_begin().
    void take_begin() { own_->reader->begin(own_->begin); }
    /// For one thread at a time, after take_begin().
    void fill(std::size_t batch) { own_->reader->fill(own_->batches[batch]); }
    [[nodiscard]] CallBatchReader& reader() { return *own_->reader; }
    AheadBatch& batch(std::size_t number) { return own_->batches[number]; }

  private:
    /// What a location has that shares no calls.
    struct Own {
        std::optional<CallBatchReader> reader;  ///< null if another process reads
        ReaderPlace place;                      ///< set if another process reads
        IterationBegin begin;                   ///< see LoopPauses
        std::array<AheadBatch, 2> batches;
        std::size_t current = 0;      ///< batch
        std::size_t taken = 0;        ///< consumed calls, or times, of the batch
        std::vector<Action> actions;  ///< of the last call
        bool has_batch = false;
    };

    template <class Pauses>
    bool next_of(Pauses& pauses, MpiCall& call);
    void take_next_batch();
    void take_over();
    void go_on();

    u32 location_;
    const ReplayPatch* known_;
    Readers* readers_ = nullptr;       ///< null: the consumer reads
    std::size_t most_ = 0;             ///< calls per batch
    std::size_t iteration_calls_ = 0;  ///< per skipped iteration
    ComingIterations coming_;
    std::vector<u64> own_times_;  ///< without readers
    std::unique_ptr<LoopPauses<SharedCalls>> shared_;
    std::unique_ptr<Own> own_;  ///< null if the calls are shared
};

/// Threads and processes that fill the wanted batches; a waiting consumer fills batches as well.
class CallPrefetcher::Readers {
  public:
    explicit Readers(RemoteReaders* others) : others_(others) {}
    Readers(const Readers&) = delete;
    Readers& operator=(const Readers&) = delete;
    ~Readers() {
        {
            const std::scoped_lock lock(mutex_);
            ends_ = true;
        }
        changed_.notify_all();
        for (std::thread& thread : threads_) thread.join();
        try {
            if (others_ != nullptr) others_->stop();
        } catch (const std::exception&) {
            // The error is reported at the next communication.
        }
    }

    /// False if the system cannot start a thread.
    bool start_one() {
        threads_.push_back(try_start_thread([this] { run(); }));
        if (threads_.back().joinable()) return true;
        threads_.pop_back();
        return false;
    }
    [[nodiscard]] bool none() const { return threads_.empty() && others_ == nullptr; }

    void want(Stream& stream, std::size_t batch) {
        if (stream.place().process != 0) {
            return others_->fill(stream.place(), stream.batch(batch));
        }
        {
            const std::scoped_lock lock(mutex_);
            if (stream.wanted_batches == 0)
                stream.place_in_line = line_.insert(line_.end(), &stream);
            stream.wanted[stream.wanted_batches++] = batch;
            if (++wanted_ < kWorthWaking) return;
        }
        changed_.notify_one();
    }
    void wait_for(Stream& stream, std::size_t batch) {
        std::unique_lock lock(mutex_);
        while (stream.place().process != 0 && !stream.batch(batch).is_ready) {
            if (!others_->take_next(stream.place().process)) fill_one(lock, nullptr);
        }
        while (!stream.batch(batch).is_ready) {
            if (wanted_ > 1) changed_.notify_one();
            if (fill_one(lock, &stream)) continue;
            waits_ = true;
            is_ready_.wait(lock);
            waits_ = false;
        }
    }
    /// `begin` of a stream, for batches begun from now on.
    void set_begin(Stream& stream, const IterationBegin& begin) {
        if (stream.place().process != 0) return others_->begin(stream.place(), begin);
        const std::scoped_lock lock(mutex_);
        stream.set_begin(begin);
    }
    /// Precondition: none of its batches is wanted.
    void read(Stream& stream, u64 iterations) {
        if (stream.place().process != 0) return others_->read(stream.place(), iterations);
        stream.reader().read(iterations);
    }
    void leave_out(Stream& stream, u64 iterations) {
        if (stream.place().process != 0) return others_->leave_out(stream.place(), iterations);
        stream.reader().leave_out(iterations);
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

    /// False if this thread has no batch to fill. Prefers a batch of the stream `first`.
    bool fill_one(std::unique_lock<std::mutex>& lock, Stream* first) {
        const std::optional<Wanted> next = take(first);
        if (!next) return false;
        Stream& stream = *next->stream;
        stream.is_busy = true;
        stream.take_begin();
        lock.unlock();
        stream.fill(next->batch);
        lock.lock();
        stream.is_busy = false;
        stream.batch(next->batch).is_ready = true;
        if (waits_) is_ready_.notify_one();
        return true;
    }

    /// The batches of a stream are filled one after the other. Cost: the busy streams, as many as
    /// threads.
    std::optional<Wanted> take(Stream* first) {
        Stream* stream = first;
        if (first == nullptr || first->wanted_batches == 0 || first->is_busy) {
            const auto found = std::ranges::find(line_, false, &Stream::is_busy);
            if (found == line_.end()) return std::nullopt;
            stream = *found;
        }
        const Wanted taken{stream, stream->wanted.front()};
        stream->wanted.front() = stream->wanted.back();
        --wanted_;
        if (--stream->wanted_batches == 0) {
            line_.erase(stream->place_in_line);
        } else {
            line_.splice(line_.end(), line_, stream->place_in_line);
        }
        return taken;
    }

    RemoteReaders* others_;  ///< or null
    std::mutex mutex_;
    std::condition_variable changed_;  ///< change of line_
    std::condition_variable is_ready_;
    std::list<Stream*> line_;  ///< with wanted batches
    std::size_t wanted_ = 0;   ///< batches of these streams
    bool waits_ = false;       ///< the consumer waits
    bool ends_ = false;
    std::vector<std::thread> threads_;
};

void CallPrefetcher::Stream::take_next_batch() {
    cancel_point();
    const AheadBatch& batch = own_->batches[own_->current];
    if (batch.failure) std::rethrow_exception(batch.failure);
    readers_->give_back(*this, own_->current);
    own_->current = 1 - own_->current;
    own_->taken = 0;
    readers_->wait_for(*this, own_->current);
}

template <class Pauses>
bool CallPrefetcher::Stream::next_of(Pauses& pauses, MpiCall& call) {
    if (pauses.next(call)) return true;
    coming_ = pauses.coming();
    return false;
}

bool CallPrefetcher::Stream::next(MpiCall& call) {
    if (shared_) return next_of(*shared_, call);
    if (readers_ == nullptr) return next_of(own_->reader->calls(), call);
    if (!own_->has_batch) readers_->wait_for(*this, own_->current);
    own_->has_batch = true;
    while (true) {
        AheadBatch& batch = own_->batches[own_->current];
        if (batch.times.empty() && own_->taken != batch.calls.size()) break;
        if (batch.failure) std::rethrow_exception(batch.failure);
        coming_ = batch.coming;
        if (batch.is_last || coming_.count != 0) return false;
        take_next_batch();
    }
    own_->batches[own_->current].calls.read(call, own_->actions);
    ++own_->taken;
    return true;
}

/// The consumer takes over the location from the reader.
void CallPrefetcher::Stream::take_over() {
    iteration_calls_ = coming_.calls;
    coming_ = {};
    if (readers_ != nullptr) readers_->wait_for(*this, 1 - own_->current);
}

void CallPrefetcher::Stream::go_on() {
    if (readers_ == nullptr) return;
    own_->has_batch = false;
    own_->taken = 0;
    readers_->give_back(*this, own_->current);
    readers_->give_back(*this, 1 - own_->current);
}

void CallPrefetcher::Stream::read(u64 iterations) {
    take_over();
    if (shared_) return shared_->read(iterations);
    readers_ == nullptr ? reader().read(iterations) : readers_->read(*this, iterations);
    go_on();
}

void CallPrefetcher::Stream::leave_out(u64 iterations) {
    take_over();
    if (shared_) return shared_->leave_out(iterations);
    readers_ == nullptr ? reader().leave_out(iterations) : readers_->leave_out(*this, iterations);
    go_on();
}

u64 CallPrefetcher::Stream::begin_at(u64 call) {
    const IterationBegin begin{call, call + 2 * most_ + 1};
    if (shared_) {
        shared_->begin(begin);
    } else if (readers_ == nullptr) {
        reader().begin(begin);
    } else {
        readers_->set_begin(*this, begin);
    }
    return begin.from;
}

const u64* CallPrefetcher::Stream::next_times() {
    const std::size_t size = iteration_calls_ * 2;
    if (readers_ == nullptr) {
        own_times_.resize(size);  // shared calls have no times: 0
        if (!shared_) reader().calls().read_extents(own_times_.data());
        return own_times_.data();
    }
    if (!own_->has_batch) readers_->wait_for(*this, own_->current);
    own_->has_batch = true;
    if (own_->taken == own_->batches[own_->current].times.size()) take_next_batch();
    const AheadBatch& batch = own_->batches[own_->current];
    if (batch.failure) std::rethrow_exception(batch.failure);
    own_->taken += size;
    return batch.times.data() + own_->taken - size;
}

CallPrefetcher::CallPrefetcher(TraceFile& file, u32 threads, Times times, RemoteReaders* others)
    : file_(file), threads_(threads), times_(times), others_(others) {
    if (others_ != nullptr && others_->size() == 1) others_ = nullptr;
}

/// Ends the threads before the batches that they fill.
CallPrefetcher::~CallPrefetcher() { readers_.reset(); }

CallPrefetcher::Calls CallPrefetcher::add(u32 location, const ReplayPatch* known) {
    streams_.push_back(std::make_unique<Stream>(location, known));
    Stream* const stream = streams_.back().get();
    return {[stream](MpiCall& call) { return stream->next(call); }, stream};
}

AheadLimits CallPrefetcher::limits() const {
    const std::size_t streams = std::max<std::size_t>(streams_.size(), 1);
    const std::size_t most =
        std::clamp(kWaitingBytes / AheadLimits::kCallBytes / 2 / streams, kLeastCalls, kMostCalls);
    const std::size_t most_offered =
        std::clamp(kMostOfferedCallsOfAll / streams, RepeatedCalls::kMostCalls, kMostOfferedCalls);
    return {most, offers_ ? most_offered : 0};
}

/// Lets locations with the same calls read them from one program, as long as it takes less memory
/// than a reader for each.
void CallPrefetcher::share_programs() {
    if (times_ != Times(Times::skip)) return;
    std::map<ContentHash, std::vector<Stream*>> classes;
    for (const auto& stream : streams_) {
        if (stream->known() != nullptr) continue;
        classes[SharedProgram::key(file_, stream->location())].push_back(stream.get());
    }
    const std::size_t offered = limits().offered;
    const DefinitionIndex& definitions = file_.definitions();
    for (const auto& [key, members] : classes) {
        if (members.size() == 1) continue;
        std::unique_ptr<SharedProgram> program = SharedProgram::read(
            file_, members.front()->location(), offered == 0 ? RepeatedCalls::kMostCalls : offered,
            members.size() * kReaderBytes);
        if (!program) continue;
        for (Stream* const stream : members) {
            const u32 location = stream->location();
            const auto rank = definitions.world_rank(definitions.locations()[location]);
            if (rank && program->fits(file_, location)) stream->share(*program, *rank, limits());
        }
        programs_.push_back(std::move(program));
    }
}

/// Assigns each location without shared calls to a reading process; returns these.
std::vector<CallPrefetcher::Stream*> CallPrefetcher::assign_readers() {
    std::vector<Stream*> all;
    std::vector<double> work;
    for (const auto& stream : streams_) {
        if (stream->is_shared()) continue;
        all.push_back(stream.get());
        const u64 events = file_.definitions().locations()[stream->location()].event_count;
        work.push_back(static_cast<double>(events));
    }
    const int processes = others_ == nullptr ? 1 : others_->size();
    const std::vector<int> readers = share_out(work, processes, share_of_first(processes));
    for (std::size_t i = 0; i < all.size(); ++i) {
        Stream& stream = *all[i];
        if (readers[i] == 0) {
            stream.read_here(file_, times_, limits());
        } else {
            stream.read_elsewhere(others_->add(readers[i], stream.location(), stream.known()),
                                  limits());
        }
    }
    if (others_ != nullptr) others_->start(times_, limits());
    return all;
}

void CallPrefetcher::start() {
    share_programs();
    const std::vector<Stream*> read = assign_readers();
    readers_ = std::make_unique<Readers>(others_);
    const std::size_t useful = std::min<std::size_t>(threads_, read.size() + 1);
    for (std::size_t thread = 1; thread < useful; ++thread) {
        if (!readers_->start_one()) break;
    }
    if (readers_->none()) return;
    for (Stream* const stream : read) stream->read_by(*readers_);
    for (const std::size_t batch : {0U, 1U}) {
        for (Stream* const stream : read) readers_->want(*stream, batch);
    }
}

}  // namespace tracefold
