// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/thread_team.hpp"
#include "base/types.hpp"
#include "file/call_names.hpp"
#include "file/location_blocks.hpp"
#include "file/trace_file.hpp"
#include "questions/structure/main_loop.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <numeric>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tracefold {

/// What statistics are kept of: names within names, numbered as they come up. Functions are below
/// the root, call paths below the functions that they lead through. Memory: the names.
class RowTree {
  public:
    static constexpr u32 kRoot = 0;
    /// Names within names: a path takes as much memory as it is deep.
    static constexpr u32 kDeepest = 1000;

    struct Row {
        u32 parent = kNone;  ///< below the row's own number; kNone for the root
        std::string name;
        bool mpi = false;  ///< a function of MPI
        u32 depth = 0;     ///< names above
    };

    RowTree() : rows_(1) {}

    /// The row of this name below another one; made if there is none. Throws Error(unsupported)
    /// below kDeepest.
    u32 child(u32 parent, std::string_view name, bool mpi);

    [[nodiscard]] u32 size() const { return static_cast<u32>(rows_.size()); }
    [[nodiscard]] const Row& operator[](u32 row) const { return rows_[row]; }
    /// The names from the root to a row, the root left out.
    [[nodiscard]] std::vector<std::string> path(u32 row) const;

    void write(ByteWriter& out) const;
    /// Adds the rows of a tree that was written: by its numbers, those that they have here. Throws
    /// Error(corrupt).
    std::vector<u32> merge(ByteReader& in);

  private:
    std::vector<Row> rows_;
    std::map<std::pair<u32, std::string>, u32, std::less<>> numbers_;
};

/// What statistics are kept of, and of which calls.
struct RowRequest {
    enum class By : u8 {
        call,  ///< functions
        path,  ///< functions by the regions that they are called in
        loop,  ///< outermost loops, by the names of the calls in them
    };

    By by = By::call;
    /// Names of regions that are wanted; all if there is no function.
    std::function<bool(const std::string&)> matches;
    /// Functions of MPI only.
    bool only_mpi = false;
    /// All that is wanted in one row of this name.
    std::optional<std::string> together;
    /// Below which row those of a location stand; below the root if there is no function.
    std::function<u32(RowTree& rows, u32 location)> group;
};

/// Finds the row of a region where it is entered.
class RowChooser {
  public:
    struct Choice {
        u32 row = RowTree::kRoot;
        bool wanted = false;
    };

    /// Everything must outlive this object.
    RowChooser(const DefinitionIndex& definitions, const RowRequest& request, RowTree& rows)
        : definitions_(definitions), request_(request), rows_(rows) {}

    /// The row that all rows of a location stand below.
    u32 group(u32 location) {
        return request_.group ? request_.group(rows_, location) : RowTree::kRoot;
    }

    /// `outer`: the row of the region around, or the group. Cost: one look-up.
    Choice region(u32 group, u32 outer, u64 region);

    /// Of what stands in no region.
    Choice name(u32 group, const std::string& name, bool mpi);

    /// Of a loop, whose functions decide whether it is wanted.
    Choice loop(u32 group, const std::string& label, bool wanted);

    [[nodiscard]] bool wants(const std::string& name, bool mpi) const {
        return (mpi || !request_.only_mpi) && (!request_.matches || request_.matches(name));
    }

  private:
    Choice row(u32 group, const std::string& name, bool mpi, bool wanted);

    struct Key {
        u32 parent;
        u64 region;

        bool operator==(const Key&) const = default;
    };
    struct Hash {
        std::size_t operator()(const Key& key) const {
            return static_cast<std::size_t>(u64{key.parent} << 32U ^ key.region);
        }
    };

    const DefinitionIndex& definitions_;
    const RowRequest& request_;
    RowTree& rows_;
    std::unordered_map<Key, Choice, Hash> known_;
};

/// Of the numbers that all processes give, on all of them. Collective.
inline u64 sum_over(Communicator& comm, u64 number) {
    const std::vector<u64> numbers = comm.all_gather(number);
    return std::accumulate(numbers.begin(), numbers.end(), u64{0});
}

/// The most iterations of any location of any process; `locations` are those of this one.
/// Collective.
inline u64 most_iterations(Communicator& comm, Iterations& iterations,
                           const std::vector<u32>& locations) {
    u64 most = 0;
    agree(comm, [&] {
        for (const u32 location : locations) most = std::max(most, iterations.count(location));
    });
    return std::ranges::max(comm.all_gather(most));
}

/// Unites the rows of all processes, and what each has of them in `values`, on process 0.
/// `write(value, out)` writes what there is of one row, and `merge(value, in)` adds what was
/// written; `name` says in messages what it is. Collective.
template <class Value, class Write, class Merge>
void reduce_rows(Communicator& comm, RowTree& rows, std::vector<Value>& values,
                 const std::string& name, const Write& write, const Merge& merge, int fanout) {
    const auto serialise = [&](std::vector<Value>& mine) {
        ByteWriter out;
        rows.write(out);
        mine.resize(rows.size());
        for (const Value& value : mine) write(value, out);
        return out.take();
    };
    const auto merge_bytes = [&](std::vector<Value>& mine, std::string_view bytes) {
        ByteReader in(bytes, name);
        const std::vector<u32> here = rows.merge(in);
        mine.resize(rows.size());
        for (const u32 row : here) merge(mine[row], in);
        in.expect_end();
    };
    reduce_tree(comm, values, serialise, merge_bytes, fanout);
}

inline void refuse_threads(const Communicator& comm, u32 threads) {
    if (threads < 2) return;
    throw Error(ErrorKind::usage,
                "each of the {} processes uses one thread; omit --threads, or start {} times as "
                "many processes",
                comm.size(), threads);
}

/// What collective work on a file comes to on process 0. Several processes do it together, each by
/// one thread. Where this process is alone, up to `threads` threads do it as if they were
/// processes (0: one per core where `file` has events enough).
/// `work` is work(comm); it must not change what other threads use. Collective; throws what
/// it throws, and Error(usage) if several processes are to have several threads.
template <class Work>
auto over_threads(Communicator& comm, const TraceFile& file, u32 threads, const Work& work) {
    using Result = decltype(work(comm));
    if (comm.size() != 1) {
        refuse_threads(comm, threads);
        return work(comm);
    }
    Result result{};
    run_as_team(useful_threads(file.definitions().locations(), threads), [&](Communicator& team) {
        Result own = work(team);
        if (team.rank() == 0) result = std::move(own);
    });
    return result;
}

}  // namespace tracefold
