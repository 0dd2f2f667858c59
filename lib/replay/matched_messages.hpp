// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "replay/mpi_call.hpp"
#include "trace/call_reader.hpp"

#include <optional>
#include <unordered_map>

namespace tracefold {

/// Joins the records of messages that a process takes out of its queue before it receives them: the
/// probe knows sender and tag, the receive knows the size, and both know the id of the message. For
/// the records of one location in order; the threads of a process may hand such messages, and the
/// requests of their receives, to each other. Memory: what is outstanding on the location, what
/// threads hand over, and the sizes up to one that is looked for ahead. Throws Error(corrupt).
class MatchedMessages {
  public:
    /// The file must outlive this object. Cost: if the process has several locations, a walk
    /// through all of them.
    MatchedMessages(TraceFile& file, u32 location);

    // Each is for an action whose message, request and bytes are what its record says, and fills in
    // the rest of the envelope, and whether the receive is complete in the trace.

    /// A probe takes a message.
    void take(Action& probe);
    /// A call gets a message. False if the trace does not have its probe.
    bool receive(Action& receive);
    /// A call posts the receive of a message. False if the trace does not have its probe.
    bool post(Action& post);
    /// A request of such a receive is complete. False if the trace does not have its probe.
    bool complete(Action& completion);

  private:
    /// Sizes of the messages that a location receives.
    class Scout {
      public:
        Scout(TraceFile& file, u32 location) : stream_(file, location, Times::skip) {}

        /// Reads on up to the size of a message, and forgets it then; nothing if nobody receives it
        /// here.
        std::optional<u64> take(u64 message);

      private:
        void read();

        CallReader stream_;
        bool at_end_ = false;
        std::unordered_map<u64, u64> bytes_;    ///< by message
        std::unordered_map<u64, u64> message_;  ///< by request
    };
    /// What is known of a message.
    struct Message {
        std::optional<Envelope> probe;
        std::optional<u64> bytes;
    };
    class Exchange;

    std::optional<u64> bytes_of(u64 message);
    Message take_message(u64 message);

    Scout ahead_;
    std::unordered_map<u64, Message> taken_;         ///< by id, of this thread
    std::unordered_map<u64, Envelope> posted_;       ///< by request, of this thread
    std::unordered_map<u64, Message> handed_over_;   ///< by id, from thread to thread
    std::unordered_map<u64, u64> posted_elsewhere_;  ///< message by request
};

}  // namespace tracefold
