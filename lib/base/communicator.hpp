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

/// A nonblocking send or receive. Destroying an incomplete message abandons it; the group is then
/// unusable, as after a failure.
class TRACEFOLD_API MessageInFlight {
  public:
    MessageInFlight() = default;
    MessageInFlight(const MessageInFlight&) = delete;
    MessageInFlight& operator=(const MessageInFlight&) = delete;
    virtual ~MessageInFlight() = default;

    /// Makes progress without blocking; true once the message is complete. Throws Error(io).
    virtual bool test() = 0;

    /// Moves out the bytes of the message. Precondition: test() returned true; called once.
    virtual std::string take() = 0;
};

/// A group of processes, numbered from 0 to size() - 1, that exchange byte strings of any size.
///
/// Messages between two processes arrive in the order in which they were sent. barrier(),
/// broadcast(), gather() and all_gather() are collective: every process calls them, in the same
/// order. A transport failure throws Error(io), an invalid partner Error(internal); after either,
/// only abort() may be called.
class TRACEFOLD_API Communicator {
  public:
    Communicator() = default;
    Communicator(const Communicator&) = delete;
    Communicator& operator=(const Communicator&) = delete;
    virtual ~Communicator() = default;

    [[nodiscard]] virtual int rank() const = 0;
    [[nodiscard]] virtual int size() const = 0;

    /// May block until `to` receives. Precondition: `to` is another process.
    virtual void send(int to, std::string_view bytes) = 0;

    /// Receives the next message of `from`. Precondition: `from` is another process.
    virtual std::string receive(int from) = 0;

    /// Starts a nonblocking send, for start_receive() only. Precondition: as send().
    virtual std::unique_ptr<MessageInFlight> start_send(int to, std::string bytes) = 0;

    /// Starts a nonblocking receive of the next start_send() of `from`. Precondition: as receive(),
    /// and the previous start_receive() from that process is complete.
    virtual std::unique_ptr<MessageInFlight> start_receive(int from) = 0;

    virtual void barrier() = 0;

    /// Returns the bytes that process `root` passed; other arguments are ignored.
    virtual std::string broadcast(std::string bytes, int root) = 0;

    /// Returns the bytes of all processes by rank on process `root`, elsewhere nothing.
    virtual std::vector<std::string> gather(std::string_view bytes, int root) = 0;

    /// Returns the values of all processes by rank, on every process.
    virtual std::vector<u64> all_gather(u64 value) = 0;

    /// Terminates all other processes at once and this one with exit code `code`, for failures that
    /// the others cannot detect. Returns if this is the only process: it can exit normally.
    virtual void abort(int code) = 0;
};

/// A single process: rank 0 of 1.
class TRACEFOLD_API SerialCommunicator final : public Communicator {
  public:
    [[nodiscard]] int rank() const override { return 0; }
    [[nodiscard]] int size() const override { return 1; }

    /// All four throw Error(internal): there is no other process.
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

/// Runs `work` and returns its exception as an Error for other processes; nothing on success.
std::optional<Error> failure_of(const std::function<void()>& work);

/// Runs `work` on every process and agrees on the outcome: returns everywhere if it succeeded
/// everywhere, else throws everywhere the Error of the lowest failing rank. Other exception types
/// become Error(internal), except in a group of one process. Collective. Precondition: a failing
/// partner leaves no communication of `work` incomplete. Cost: one all_gather(), and a broadcast()
/// after a failure.
void agree(Communicator& comm, const std::function<void()>& work);

/// Runs `work` on process 0 only and agrees on the outcome as agree() does. Collective.
void on_first(Communicator& comm, const std::function<void()>& work);

/// Throws Error(io) on all processes, which names those that have another `value` than process 0,
/// unless all have the same: a hash of an input, called `input` in the message. Collective.
void expect_alike(Communicator& comm, u64 value, const std::string& input);

/// The position of one process in an ordered tree over all ranks.
struct TreePlace {
    /// Ranks to receive from, ascending. The blocks of ranks below this process and below its
    /// children are adjacent and follow each other in that order.
    std::vector<int> children;
    /// Rank to send to; -1 for rank 0, the root.
    int parent = -1;
};

/// Depth: log(size) to the base `fanout`. Precondition: 0 <= rank < size, fanout >= 2.
TreePlace tree_place(int rank, int size, int fanout);

/// The bytes that a process sends to its parent for its block of ranks; nothing after a failure in
/// the block, so the parent does not wait forever.
using TreePart = std::optional<std::string>;

/// Does nothing for the root, whose parent is -1.
void send_part(Communicator& comm, int parent, const TreePart& part);
TreePart receive_part(Communicator& comm, int child);

/// Merges the parts of all children into `mine`; false if a child failed. Receives from all
/// children even if `merge_bytes` throws, since their sends may block on it.
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

/// The part of one process in reduce_tree(). Rethrows exceptions of the functions after notifying
/// the parent; returns normally if only another process failed.
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
/// `serialise(State&)` gives bytes; `merge_bytes(State&, std::string_view)` takes the bytes of the
/// block of ranks that follows immediately after the ranks merged so far, so the operation need not
/// be commutative. On other ranks `mine` holds a partial result afterwards. Collective; if either
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
