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
#include <vector>

namespace tracefold {

/// A call at whose place iterations begin, from another call on; without one, where the loop does.
struct IterationBegin {
    static constexpr u64 kNoCall = ~u64{0};

    u64 call = kNoCall;  ///< index among those of the location
    u64 from = 0;        ///< none begins before this call
};

/// Reads the calls of a location, and stops where iterations of an outermost loop come that may be
/// left out. After a stop either read() or leave_out() follows. Throws Error(corrupt). The file
/// must outlive the reader.
class LoopPauses {
  public:
    /// `most_calls`: of an iteration; 0: it does not stop.
    LoopPauses(TraceFile& file, u32 location, Times times, const ReplayPatch* known,
               std::size_t most_calls)
        : reader_(file, location, times), offers_(most_calls != 0) {
        if (known != nullptr) reader_.recall(*known);
        if (offers_) reader_.remember_loops(most_calls);
    }

    /// False at the end, and where it stops.
    bool next(MpiCall& call) {
        if (offers_ && stops()) return false;
        return reader_.next(call);
    }
    /// Where iterations begin.
    void begin(const IterationBegin& begin) { begin_ = begin; }
    /// What it has stopped before; none at the end.
    [[nodiscard]] ComingIterations coming() const {
        return stopped_ ? coming_ : ComingIterations{};
    }
    /// Goes on, and does not stop within so many iterations.
    void read(u64 iterations) {
        stopped_ = false;
        read_on_ = iterations;
    }
    /// Passes so many iterations; with times, read_extents() has to be called for each.
    void leave_out(u64 iterations) {
        stopped_ = false;
        reader_.leave_out(iterations);
    }
    void read_extents(u64* times) { reader_.read_extents(times); }

  private:
    /// Fewer iterations, or calls in all of them, are not offered.
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

    MpiCallReader reader_;
    bool offers_;
    IterationBegin begin_;
    bool stopped_ = false;
    ComingIterations coming_;
    u64 read_on_ = 0;  ///< iterations, before it stops again
};

/// Calls and their actions on their way from one thread, or process, to another. Most of them have
/// few fields that differ from the usual values, and only these are kept: about a third of MpiCall
/// and Action. Handing calls over takes as long as moving their bytes from the cache of one core to
/// that of another.
class PackedCalls {
  public:
    void clear();
    [[nodiscard]] std::size_t size() const { return size_; }
    void add(const MpiCall& call);

    /// The next call in the order in which they were added; its actions are put into `actions`.
    /// Precondition: fewer than size() were read since clear().
    void read(MpiCall& call, std::vector<Action>& actions);

    /// Those that were added, for assign() on a machine of the same kind.
    [[nodiscard]] std::string_view bytes() const { return {bytes_.data(), bytes_.size()}; }
    void assign(std::string_view bytes, std::size_t size);

  private:
    AppendBuffer<char> bytes_;
    std::size_t size_ = 0;
    std::size_t at_ = 0;  ///< byte that is read next
};

/// Calls of a location that follow one another, or the times of iterations that are left out.
struct AheadBatch {
    PackedCalls calls;
    std::vector<u64> times;
    ComingIterations coming;  ///< behind the calls
    bool is_last = false;
    std::exception_ptr failure;  ///< behind the calls
    bool is_ready = false;

    void clear();
    /// For another process of this program on a machine of the same kind.
    [[nodiscard]] std::string to_bytes() const;
    /// What to_bytes() wrote; a failure is an Error. Throws Error(corrupt).
    void take(std::string_view bytes);
};

/// How much is read at once.
struct AheadLimits {
    /// Of a call with its actions, about.
    static constexpr std::size_t kCallBytes = 256;

    std::size_t calls = 0;    ///< of a batch
    std::size_t offered = 0;  ///< as LoopPauses has it

    static void each_field(auto& self, auto& visit) { visit(self.calls, self.offered); }
};

/// Fills batches with the calls of a location, one after the other. For one thread at a time.
class CallBatchReader {
  public:
    /// The file, and `known` unless it is null, must outlive this object.
    CallBatchReader(TraceFile& file, u32 location, const ReplayPatch* known, Times times,
                    AheadLimits limits)
        : file_(file), location_(location), known_(known), times_(times), limits_(limits) {}

    /// For the batches that are filled from now on.
    void begin(const IterationBegin& begin) { begin_ = begin; }
    /// The next calls, or times; what reading throws is kept for those who take calls.
    void fill(AheadBatch& batch);
    /// As IterationSource, where the last batch ended.
    void read(u64 iterations) { calls().read(iterations); }
    void leave_out(u64 iterations);

    /// For those who read without batches.
    LoopPauses& calls();

  private:
    void fill_calls(AheadBatch& batch);
    void fill_times(AheadBatch& batch);

    TraceFile& file_;
    u32 location_;
    const ReplayPatch* known_;
    Times times_;
    AheadLimits limits_;
    std::optional<LoopPauses> calls_;  ///< once they are read
    IterationBegin begin_;             ///< see LoopPauses
    bool ended_ = false;               ///< all is read
    u64 left_out_ = 0;                 ///< iterations whose times are still to be read
    std::size_t iteration_calls_ = 0;  ///< of each
};

}  // namespace tracefold
