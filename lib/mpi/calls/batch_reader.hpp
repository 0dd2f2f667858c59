// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/memory.hpp"
#include "mpi/mpi_call.hpp"
#include "mpi/mpi_call_reader.hpp"

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tracefold {

/// The call at which iterations begin; without one, they begin where the loop does.
struct IterationBegin {
    static constexpr u64 kNoCall = ~u64{0};

    u64 call = kNoCall;  ///< index among the calls of the location
    u64 from = 0;        ///< no iteration begins before this call
};

/// Reads the calls of a location and stops before skippable iterations of an outermost loop. After
/// a stop either read() or leave_out() follows. Throws Error(corrupt). `Reader`: MpiCallReader or
/// SharedCalls.
template <class Reader>
class LoopPauses {
  public:
    /// Without `offers` it never stops.
    LoopPauses(Reader reader, bool offers) : reader_(std::move(reader)), offers_(offers) {}

    /// False at the end, and at a stop.
    bool next(MpiCall& call) {
        if (offers_ && stops()) return false;
        return reader_.next(call);
    }
    void begin(const IterationBegin& begin) { begin_ = begin; }
    /// The iterations at which it has stopped; none at the end.
    [[nodiscard]] ComingIterations coming() const {
        return stopped_ ? coming_ : ComingIterations{};
    }
    /// Continues; does not stop within `iterations` iterations.
    void read(u64 iterations) {
        stopped_ = false;
        read_on_ = iterations;
    }
    /// Skips iterations; with times, read_extents() has to be called for each.
    void leave_out(u64 iterations) {
        stopped_ = false;
        reader_.leave_out(iterations);
    }
    void read_extents(u64* times) { reader_.read_extents(times); }

  private:
    /// Thresholds: loops with fewer iterations, or fewer calls in all of them, are not offered.
    static constexpr u64 kLeastIterations = 8;
    static constexpr u64 kLeastOfferedCalls = 1024;

    bool stops() {
        if (stopped_) return true;
        coming_ = reader_.coming_iterations();
        if (coming_.count == 0 || !is_at_begin()) return false;
        if (read_on_ != 0) {
            --read_on_;
            return false;
        }
        stopped_ = coming_.count >= kLeastIterations &&
                   coming_.count * coming_.calls >= kLeastOfferedCalls;
        return stopped_;
    }

    [[nodiscard]] bool is_at_begin() const {
        if (begin_.call == IterationBegin::kNoCall) return coming_.place == 0;
        const u64 next = reader_.calls();
        return next >= begin_.from && (next - begin_.call) % coming_.calls == 0;
    }

    Reader reader_;
    bool offers_;
    IterationBegin begin_;
    bool stopped_ = false;
    ComingIterations coming_;
    u64 read_on_ = 0;  ///< iterations until the next stop
};

/// Packed calls and actions, for the transfer between threads or processes. Only fields that differ
/// from the usual values are stored: about a third of MpiCall and Action. The transfer costs as
/// much as moving the bytes between the caches of two cores.
class PackedCalls {
  public:
    void clear();
    [[nodiscard]] std::size_t size() const { return size_; }
    void add(const MpiCall& call);

    /// Reads the next call in the order of add(); `actions` gets its actions. Precondition: fewer
    /// than size() were read since clear().
    void read(MpiCall& call, std::vector<Action>& actions);

    /// The packed calls, for assign() on a machine of the same kind.
    [[nodiscard]] std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }
    void assign(std::string_view bytes, std::size_t size);

  private:
    AppendBuffer<char> bytes_;
    std::size_t size_ = 0;
    std::size_t at_ = 0;  ///< next byte to read
};

/// Consecutive calls of a location, or the times of skipped iterations.
struct AheadBatch {
    PackedCalls calls;
    std::vector<u64> times;
    ComingIterations coming;  ///< after the calls
    bool is_last = false;
    std::exception_ptr failure;  ///< after the calls
    bool is_ready = false;

    void clear();
    /// For another process of this program on a machine of the same kind.
    [[nodiscard]] std::string to_bytes() const;
    /// Reads the output of to_bytes(); a failure is an Error. Throws Error(corrupt).
    void take(std::string_view bytes);
};

struct AheadLimits {
    /// Approximate size of a call with its actions.
    static constexpr std::size_t kCallBytes = 256;

    std::size_t calls = 0;    ///< per batch
    std::size_t offered = 0;  ///< calls per iteration; 0: none are offered

    static void each_field(auto& self, auto& visit) { visit(self.calls, self.offered); }
};

/// Fills batches with the consecutive calls of a location. For one thread at a time.
class CallBatchReader {
  public:
    /// The file, and `known` unless it is null, must outlive this object.
    CallBatchReader(TraceFile& file, u32 location, const ReplayPatch* known, Times times,
                    AheadLimits limits)
        : file_(file), location_(location), known_(known), times_(times), limits_(limits) {}

    /// For all batches filled from now on.
    void begin(const IterationBegin& begin) { begin_ = begin; }
    /// The next calls, or times; exceptions of the reader are stored in the batch for its consumer.
    void fill(AheadBatch& batch);
    /// IterationSource at the end of the last batch.
    void read(u64 iterations) { calls().read(iterations); }
    void leave_out(u64 iterations);

    /// For consumers without batches.
    LoopPauses<MpiCallReader>& calls();

  private:
    void fill_calls(AheadBatch& batch);
    void fill_times(AheadBatch& batch);

    TraceFile& file_;
    u32 location_;
    const ReplayPatch* known_;
    Times times_;
    AheadLimits limits_;
    std::optional<LoopPauses<MpiCallReader>> calls_;  ///< created on first use
    IterationBegin begin_;                            ///< see LoopPauses
    bool ended_ = false;                              ///< all calls are read
    u64 left_out_ = 0;                 ///< skipped iterations whose times are still to be read
    std::size_t iteration_calls_ = 0;  ///< per iteration
};

}  // namespace tracefold
