// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/profile/detail/wait_analysis.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// What happens in an iteration of all ranks, noted while it is walked, so that the same can be
/// worked out for other times: calls begin and end, messages are matched with their receives, and
/// collective operations with their members. The calls of all ranks are numbered, so that nothing
/// has to be looked up. Memory: linear in the calls and messages of the iteration.
class WaitAnalysis::Iteration {
  public:
    /// `calls` of each walker. The analysis must outlive this object.
    Iteration(WaitAnalysis& analysis, const std::vector<std::size_t>& calls);

    // What the analysis is told, or finds.
    void began(u32 walker, const MpiCall& mpi_call);
    void ended(u32 walker);
    /// `known`: both calls are.
    void matched(CallPlace sender, CallPlace receiver, bool known);
    void completed(CallPlace receiver, CallPlace completion);
    void matched_collective(const CollectiveInstances::Instance& instance, Collective collective);
    /// A member's part in a collective operation, and the call that waited for it.
    void was_ready(CallPlace part, CallPlace waiting);

    /// True if nothing happened but what repeat() can do, between calls of this iteration.
    [[nodiscard]] bool is_complete() const;
    /// The same again, so many times.
    void repeat(const std::vector<IterationSource*>& sources, u64 times);

  private:
    struct Step {
        enum class Kind : u8 { begin, end, match, complete, collective, take };
        Kind kind{};
        u32 call = 0;  ///< that does it; of a match the sender's; of a collective operation: which
        u32 partner = 0;  ///< the receiver's call
        u32 slot = 0;     ///< of the message, or of the part in a collective operation
    };
    /// The calls of a walker.
    struct Part {
        u32 first = 0;
        std::size_t calls = 0;
        u64 first_index = 0;
        std::size_t begun = 0;
        std::size_t with_region = 0;
    };
    struct Members {
        Collective collective;
        std::vector<const Call*> calls;
        std::vector<u32> slots;
    };

    u32 number(CallPlace place);
    void read_times(const std::vector<IterationSource*>& sources);
    void run(const Step& step);
    void pass(u64 times);

    WaitAnalysis& analysis_;
    std::vector<Part> parts_;     ///< by walker
    std::vector<Call> calls_;     ///< by number
    std::vector<u32> walker_of_;  ///< by number of a call
    std::vector<Step> steps_;
    std::vector<Members> collectives_;
    ByPlace<u32> messages_;       ///< slots, by the place of the receive, until complete
    std::size_t incomplete_ = 0;  ///< of these
    ByPlace<u32> members_;        ///< slots, by the place of the part, until taken
    std::vector<Sent> sent_;      ///< by slot
    std::vector<Ready> ready_;    ///< by slot
    bool complete_ = true;
};

}  // namespace tracefold
