// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/communicator.hpp"

#include "base/error.hpp"
#include "base/types.hpp"

#include <algorithm>
#include <cassert>
#include <exception>
#include <new>
#include <optional>
#include <vector>

namespace tracefold {

namespace {

[[noreturn]] void fail_without_partner(int partner) {
    throw Error(ErrorKind::internal, "a process that runs alone cannot communicate with process " +
                                         std::to_string(partner));
}

void check_root(int root) {
    if (root != 0) {
        fail_without_partner(root);
    }
}

}  // namespace

void SerialCommunicator::send(int to, std::string_view) { fail_without_partner(to); }

std::string SerialCommunicator::receive(int from) { fail_without_partner(from); }

std::unique_ptr<MessageInFlight> SerialCommunicator::start_send(int to, std::string) {
    fail_without_partner(to);
}

std::unique_ptr<MessageInFlight> SerialCommunicator::start_receive(int from) {
    fail_without_partner(from);
}

std::string SerialCommunicator::broadcast(std::string bytes, int root) {
    check_root(root);
    return bytes;
}

std::vector<std::string> SerialCommunicator::gather(std::string_view bytes, int root) {
    check_root(root);
    return {std::string(bytes)};
}

// Converts every exception: a process that left here would block all others.
std::optional<Error> failure_of(const std::function<void()>& work) {
    try {
        work();
        return std::nullopt;
    } catch (const Error& error) {
        return error;
    } catch (const std::bad_alloc&) {
        return Error(ErrorKind::internal, "a process ran out of memory");
    } catch (const std::exception& error) {
        return Error(ErrorKind::internal, error.what());
    } catch (...) {
        return Error(ErrorKind::internal, "a process failed for an unknown reason");
    }
}

void agree(Communicator& comm, const std::function<void()>& work) {
    // No other process needs the exception, and a cancellation is no Error.
    if (comm.size() == 1) return work();
    constexpr u64 kSuccess = 0;
    const std::optional<Error> failure = failure_of(work);
    const std::vector<u64> codes =
        comm.all_gather(failure ? static_cast<u64>(failure->kind()) + 1 : kSuccess);
    const auto first =
        std::find_if(codes.begin(), codes.end(), [](u64 code) { return code != kSuccess; });
    if (first == codes.end()) {
        return;
    }
    const auto kind = static_cast<ErrorKind>(*first - 1);
    const int root = static_cast<int>(first - codes.begin());
    throw Error(kind, comm.broadcast(failure ? failure->what() : "", root));
}

void on_first(Communicator& comm, const std::function<void()>& work) {
    agree(comm, [&] {
        if (comm.rank() == 0) work();
    });
}

namespace {

/// "process 3", "processes 1, 4-7", "processes 1, 3, 5, 7, ..."
std::string names_of_processes(const std::vector<std::size_t>& ascending) {
    constexpr int kMostRanges = 8;
    std::string text = ascending.size() == 1 ? "process " : "processes ";
    int ranges = 0;
    for (std::size_t i = 0; i < ascending.size(); ++i) {
        std::size_t last = i;
        while (last + 1 < ascending.size() && ascending[last + 1] == ascending[last] + 1) ++last;
        if (i != 0) text += ", ";
        if (ranges++ == kMostRanges) return text + "...";
        text += std::to_string(ascending[i]);
        if (last != i) text += "-" + std::to_string(ascending[last]);
        i = last;
    }
    return text;
}

}  // namespace

void expect_alike(Communicator& comm, u64 value, const std::string& input) {
    if (comm.size() == 1) return;
    const std::vector<u64> values = comm.all_gather(value);
    std::vector<std::size_t> others;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (values[i] != values[0]) others.push_back(i);
    }
    if (others.empty()) return;
    throw Error(ErrorKind::io,
                "{} is not the same for all processes: that of {} is not that of process 0, but an "
                "old copy, or one of another node; give a path at which all see the same",
                input, names_of_processes(others));
}

namespace {

constexpr std::string_view kBytesFollow = "+";
constexpr std::string_view kFailed = "-";

}  // namespace

TreePlace tree_place(int rank, int size, int fanout) {
    assert(rank >= 0 && rank < size && fanout >= 2);
    TreePlace place;
    // Merges blocks of `block` ranks in their first rank; 64 bits, as block may exceed size.
    for (i64 block = 1; block < size; block *= fanout) {
        const i64 place_in_parent_block = rank % (block * fanout);
        if (place_in_parent_block != 0) {
            place.parent = static_cast<int>(rank - place_in_parent_block);
            break;
        }
        for (i64 child = rank + block; child < rank + block * fanout && child < size;
             child += block) {
            place.children.push_back(static_cast<int>(child));
        }
    }
    return place;
}

void send_part(Communicator& comm, int parent, const TreePart& part) {
    if (parent < 0) {
        return;
    }
    comm.send(parent, part ? kBytesFollow : kFailed);
    if (part) {
        comm.send(parent, *part);
    }
}

TreePart receive_part(Communicator& comm, int child) {
    if (comm.receive(child) == kFailed) {
        return std::nullopt;
    }
    return comm.receive(child);
}

}  // namespace tracefold
