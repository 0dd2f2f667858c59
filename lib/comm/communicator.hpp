// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "core/export.hpp"
#include "core/types.hpp"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

/// A message that is being sent or received while its process does something else. Destroying one
/// that is not complete gives it up; the group is then of no more use than after a failure.
class TRACEFOLD_API MessageInFlight {
  public:
    MessageInFlight() = default;
    MessageInFlight(const MessageInFlight&) = delete;
    MessageInFlight& operator=(const MessageInFlight&) = delete;
    virtual ~MessageInFlight() = default;

    /// True once it is complete; moves it on, without waiting. Throws Error(io).
    virtual bool test() = 0;

    /// The bytes of a complete message, once. Precondition: test() said so.
    virtual std::string take() = 0;
};

/// A group of processes, numbered from 0 to size() - 1, that exchange byte strings of any size.
///
/// Messages between the same two processes arrive in the order in which they were sent. barrier(),
/// broadcast(), gather() and all_gather() are collective: every process calls them, in the same
/// order. A failure of the transport throws Error(io), a wrong partner Error(internal); after
/// either, the group is of no more use than for abort().
class TRACEFOLD_API Communicator {
  public:
    Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    virtual ~Communicator() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;

    /// May wait until `to` receives. Precondition: `to` is another process.
    virtual void send(int to, std::string_view bytes) = 0;

    /// The next message of `from`. Precondition: `from` is another process.
    virtual std::string receive(int from) = 0;

    /// Sends without waiting. Messages that are started and those of send() and receive() do not
    /// get in each other's way: what start_send() sends, start_receive() receives. Precondition: as
    /// send().
    virtual std::unique_ptr<MessageInFlight> start_send(int to, std::string bytes) = 0;

    /// Receives without waiting the next message that `from` starts to send. Precondition: as
    /// receive(), and the one before from the same process is complete.
    virtual std::unique_ptr<MessageInFlight> start_receive(int from) = 0;

    virtual void barrier() = 0;

    /// The bytes that process `root` passed; those of the others are ignored.
    virtual std::string broadcast(std::string bytes, int root) = 0;

    /// On process `root` the bytes of all, by rank; elsewhere nothing.
    virtual std::vector<std::string> gather(std::string_view bytes, int root) = 0;

    /// The values of all, by rank, on every process.
    virtual std::vector<u64> all_gather(u64 value) = 0;

    /// Ends all other processes at once and this one with exit code `code`: for a failure that the
    /// others cannot learn about. Returns if this process is alone and can simply end.
    virtual void abort(int code) = 0;
};

}  // namespace tracefold
