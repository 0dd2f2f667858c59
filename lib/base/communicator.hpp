// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/error.hpp"
#include "base/types.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
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

/// A process by itself: rank 0 of 1.
class TRACEFOLD_API SerialCommunicator final : public Communicator {
  public:
    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int size() const override { return 1; }

    /// There is nobody to talk to: all four throw Error(internal).
    void send(int to, std::string_view bytes) override;
    std::string receive(int from) override;
    std::unique_ptr<MessageInFlight> start_send(int to, std::string bytes) override;
    std::unique_ptr<MessageInFlight> start_receive(int from) override;

    void barrier() override {}
    std::string broadcast(std::string bytes, int root) override;
    std::vector<std::string> gather(std::string_view bytes, int root) override;
    std::vector<u64> all_gather(u64 value) override { return {value}; }
    void abort(int) override {}
};

/// What `work` throws, in a form that travels to other processes; nothing if it succeeds.
std::optional<Error> failure_of(const std::function<void()>& work);

/// Runs `work` on every process and lets all of them know how it ended: returns everywhere if it
/// succeeded everywhere, else throws everywhere the same Error, that of the lowest failing rank.
/// Exceptions of other types become Error(internal), but for those of a process that is alone.
/// Collective. Precondition: `work` does not communicate in a way that a failing partner would
/// leave incomplete. Cost: one all_gather(), and a broadcast() after a failure.
void agree(Communicator& comm, const std::function<void()>& work);

/// The same for what process 0 does by itself.
void on_first(Communicator& comm, const std::function<void()>& work);

/// The place of one process in an ordered tree over all ranks.
struct TreePlace {
    /// Whom to receive from, in rising order. The blocks of ranks below this process and below its
    /// children are adjacent and follow each other in that order.
    std::vector<int> children;
    /// Whom to send to; -1 for rank 0, the root.
    int parent = -1;
};

/// Depth: the logarithm of `size` to the base `fanout`. Precondition: 0 <= rank < size, fanout
/// >= 2.
TreePlace tree_place(int rank, int size, int fanout);

/// What a process of the tree passes on to its parent: the bytes of its block, or nothing after a
/// failure in it, so that nobody waits for bytes in vain.
using TreePart = std::optional<std::string>;

/// Does nothing for the root, whose parent is -1.
void send_part(Communicator& comm, int parent, const TreePart& part);
TreePart receive_part(Communicator& comm, int child);

/// Merges the parts of all children into `mine`; false if one of them failed. Receives from all
/// even if `merge_bytes` throws, since sending may wait for that.
template <class State, class MergeBytes>
bool merge_children(Communicator& comm, const std::vector<int>& children, State& mine,
                    const MergeBytes& merge_bytes) {
    bool complete = true;
    std::size_t next = 0;
    try {
        while (next < children.size()) {
            const TreePart part = receive_part(comm, children[next++]);
            complete = complete && part.has_value();
            if (complete) {
                merge_bytes(mine, std::string_view(*part));
            }
        }
    } catch (...) {
        while (next < children.size()) {
            receive_part(comm, children[next++]);
        }
        throw;
    }
    return complete;
}

/// The part of one process in reduce_tree(). Throws what the functions throw, after telling the
/// parent; returns on processes that only learn of the failure of another one.
template <class State, class Serialise, class MergeBytes>
void reduce_at(Communicator& comm, const TreePlace& place, State& mine, const Serialise& serialise,
               const MergeBytes& merge_bytes) {
    TreePart part;
    try {
        if (merge_children(comm, place.children, mine, merge_bytes) && place.parent >= 0) {
            part = serialise(mine);
        }
    } catch (...) {
        send_part(comm, place.parent, std::nullopt);
        throw;
    }
    send_part(comm, place.parent, part);
}

/// Merges the states of all processes into `mine` of rank 0, along a tree.
///
/// `serialise(State&)` gives bytes; `merge_bytes(State&, std::string_view)` takes those of the
/// block of ranks that follows immediately after the ranks merged so far, so the operation need not
/// be commutative. On other ranks `mine` holds part of the result afterwards. Collective; if either
/// function throws anywhere, every process throws the Error of the lowest failing rank, as with
/// agree(). Cost: O(log size) steps, one serialisation per process. Precondition: the same fanout
/// on all processes, at least 2.
template <class State, class Serialise, class MergeBytes>
void reduce_tree(Communicator& comm, State& mine, const Serialise& serialise,
                 const MergeBytes& merge_bytes, int fanout = 2) {
    const TreePlace place = tree_place(comm.rank(), comm.size(), fanout);
    agree(comm, [&] { reduce_at(comm, place, mine, serialise, merge_bytes); });
}

}  // namespace tracefold
