// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "questions/profile/detail/wait_analysis.hpp"

#include <span>
#include <vector>

namespace tracefold {

/// Records the events of an iteration of all ranks to replay them with other times: begin and end
/// of calls, matches of messages, members of collectives. Calls are numbered, so replay needs no
/// look-ups. Memory: linear in the calls and messages of the iteration.
class WaitAnalysis::Iteration {
  public:
    /// `calls`: number per walker. The analysis must outlive this object.
    Iteration(WaitAnalysis& analysis, const std::vector<std::size_t>& calls);

    // Events that the analysis receives or derives.
    void began(u32 walker, const MpiCall& mpi_call);
    void ended(u32 walker);
    /// `known`: both calls are known.
    void matched(CallPlace sender, CallPlace receiver, bool known);
    void completed(CallPlace receiver, CallPlace completion);
    void probed(CallPlace sender, CallPlace probe);
    void completed_send(CallPlace sender, CallPlace completion);
    void matched_collective(const CollectiveInstances::Instance& instance, Collective collective);
    /// `part`: a member's part in a collective; `waiting`: the call that waits for it.
    void was_ready(CallPlace part, CallPlace waiting);

    /// Whether repeat() can replay every event, and all are between calls of this iteration.
    [[nodiscard]] bool is_complete() const;
    /// Replays the iteration `times` times.
    void repeat(const std::vector<IterationSource*>& sources, u64 times);

  private:
    struct Step {
        enum class Kind : u8 {
            begin,
            end,
            match,
            probe,
            complete,
            complete_send,
            collective,
            take
        };
        Kind kind{};
        u32 call = 0;  ///< acting call; of a match the sender's; of a collective: its index
        u32 partner =
            0;         ///< of a match the receiver's call; of a probe or complete_send the sender's
        u32 slot = 0;  ///< of the message or the collective's part
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
    std::vector<Call> calls_;     ///< by call number
    std::vector<u32> walker_of_;  ///< by call number
    std::vector<Step> steps_;
    std::vector<Members> collectives_;
    ByPlace<u32> messages_;       ///< slots of incomplete messages, by receive
    std::size_t incomplete_ = 0;  ///< number of incomplete messages
    ByPlace<u32> members_;        ///< slots of collective parts that no call has taken, by part
    std::vector<Sent> sent_;      ///< by slot
    std::vector<Ready> ready_;    ///< by slot
    bool complete_ = true;
};

}  // namespace tracefold
