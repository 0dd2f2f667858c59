// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/communicator_table.hpp"
#include "replay/mpi_call.hpp"

#include <optional>
#include <unordered_map>
#include <vector>

namespace tracefold {

/// A message that a rank sends or receives, and the call that sends or posts it.
struct TrackedMessage {
    bool sends = false;
    u32 peer = 0;  ///< world rank
    Envelope envelope;
    u64 number = 0;  ///< among those of its communicator and tag to, or from, this rank
    u32 thread = 0;  ///< of the call
    u64 call = 0;
    u64 begin = 0;  ///< ticks
};

/// Where a rank's part in a message ends: in this call, or in one that completes its request.
struct MessageEnd {
    u32 thread = 0;
    u64 time = 0;  ///< ticks of the record; without one, some within the call
    u64 end = 0;   ///< ticks; of the call
};

/// The other end of a message; the rank as recorded where the definitions do not tell.
u32 world_rank_of(const Envelope& envelope, const CommunicatorTable& table);

/// Follows the messages of a rank from the call that sends or posts them, or whose probe takes
/// them, to their end, and numbers them so that both ends of one have the same number. Memory: what
/// is outstanding, and a number for each peer and tag.
class TransferTracker {
  public:
    /// What ends the rank's part in sends that do not block.
    enum class SendEnd : u8 { at_call, at_completion };

    TransferTracker(SendEnd send_end, std::size_t threads)
        : send_end_(send_end), has_threads_(threads > 1) {}

    /// Calls done(message, end) for each message whose part in this rank the call ends. Take the
    /// calls of a RankWalk, in its order; `thread` is theirs.
    template <class Done>
    void follow(u32 thread, const MpiCall& mpi_call, const CommunicatorTable& table,
                const Done& done) {
        const bool receives_unrecorded =
            mpi_call.family == CallFamily::matched_receive && mpi_call.inferred.comm != kNone;
        if (receives_unrecorded) {
            ++unrecorded_;
            done(begin(false, thread, mpi_call, mpi_call.inferred, table),
                 MessageEnd{thread, middle_of(mpi_call), mpi_call.end});
        }
        for (const Action& action : mpi_call.actions) {
            follow(thread, mpi_call, action, table, done);
        }
    }

    /// Those that have no end, in the order of their calls.
    [[nodiscard]] std::vector<TrackedMessage> outstanding() const;
    /// Receives without a record, whose message the clues of the walk tell.
    [[nodiscard]] u64 unrecorded() const { return unrecorded_; }

  private:
    struct Channel {
        bool sends;
        u32 peer;
        u32 tag;
        u64 comm;

        bool operator==(const Channel&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Channel& channel) const;
    };

    template <class Done>
    void follow(u32 thread, const MpiCall& mpi_call, const Action& action,
                const CommunicatorTable& table, const Done& done) {
        const MessageEnd end{thread, action.time, mpi_call.end};
        const auto message = [&](bool sends) {
            return begin(sends, thread, mpi_call, action.envelope, table);
        };
        switch (action.kind) {
            case Action::Kind::send:
                if (action.request == kNoRequest || send_end_ == SendEnd::at_call) {
                    done(message(true), end);
                } else {
                    post(action.request, message(true), done);
                }
                break;
            case Action::Kind::probe:
                if (action.message != kNoMessage && action.known) {
                    taken_.insert_or_assign(action.message, message(false));
                }
                break;
            case Action::Kind::receive:
                done(action.message == kNoMessage ? message(false) : taken(action, message), end);
                break;
            case Action::Kind::post_receive:
                if (!action.known) break;
                post(action.request,
                     action.message == kNoMessage ? message(false) : taken(action, message), done);
                break;
            case Action::Kind::complete_send:
                if (send_end_ == SendEnd::at_completion) complete(action.request, end, done);
                break;
            case Action::Kind::complete_receive:
                if (complete(action.request, end, done) || has_threads_) break;
                // It was never posted.
                done(message(false), end);
                break;
            default:
                break;
        }
    }

    /// A message by its id. Its probe may be a call that was not taken yet, of another thread.
    template <class Begin>
    TrackedMessage taken(const Action& action, const Begin& message) {
        const auto found = taken_.find(action.message);
        if (found == taken_.end()) return message(false);
        const TrackedMessage tracked = found->second;
        taken_.erase(found);
        return tracked;
    }

    /// Another thread may have completed it: its calls may have been taken before.
    template <class Done>
    void post(u64 request, const TrackedMessage& message, const Done& done) {
        const auto found = early_.find(request);
        if (found == early_.end()) {
            outstanding_.insert_or_assign(request, message);
            return;
        }
        done(message, found->second);
        early_.erase(found);
    }

    /// False if it is not outstanding.
    template <class Done>
    bool complete(u64 request, const MessageEnd& end, const Done& done) {
        const auto found = outstanding_.find(request);
        if (found == outstanding_.end()) {
            if (has_threads_) early_.insert_or_assign(request, end);
            return false;
        }
        done(found->second, end);
        outstanding_.erase(found);
        return true;
    }

    TrackedMessage begin(bool sends, u32 thread, const MpiCall& mpi_call, const Envelope& envelope,
                         const CommunicatorTable& table);
    static u64 middle_of(const MpiCall& mpi_call);

    SendEnd send_end_;
    bool has_threads_;
    std::unordered_map<Channel, u64, Hash> numbers_;
    std::unordered_map<u64, TrackedMessage> outstanding_;
    std::unordered_map<u64, MessageEnd> early_;      ///< completed before they were posted
    std::unordered_map<u64, TrackedMessage> taken_;  ///< by probes, by message id
    u64 unrecorded_ = 0;
};

}  // namespace tracefold
