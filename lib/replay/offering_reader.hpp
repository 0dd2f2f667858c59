// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call_reader.hpp"

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
class OfferingReader {
  public:
    /// `most_calls`: of an iteration; 0: it does not stop.
    OfferingReader(TraceFile& file, u32 location, Times times, const ReplayPatch* known,
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

}  // namespace tracefold
