// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/offering_reader.hpp"
#include "replay/packed_calls.hpp"

#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

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
    std::size_t offered = 0;  ///< as OfferingReader has it

    static void each_field(auto& self, auto& visit) { visit(self.calls, self.offered); }
};

/// Fills batches with the calls of a location, one after the other. For one thread at a time.
class AheadReader {
  public:
    /// The file, and `known` unless it is null, must outlive this object.
    AheadReader(TraceFile& file, u32 location, const ReplayPatch* known, Times times,
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
    OfferingReader& calls();

  private:
    void fill_calls(AheadBatch& batch);
    void fill_times(AheadBatch& batch);

    TraceFile& file_;
    u32 location_;
    const ReplayPatch* known_;
    Times times_;
    AheadLimits limits_;
    std::optional<OfferingReader> calls_;  ///< once they are read
    IterationBegin begin_;                 ///< see OfferingReader
    bool ended_ = false;                   ///< all is read
    u64 left_out_ = 0;                     ///< iterations whose times are still to be read
    std::size_t iteration_calls_ = 0;      ///< of each
};

}  // namespace tracefold
