// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "analysis/iterations.hpp"
#include "comm/agree.hpp"
#include "comm/reduction_tree.hpp"
#include "stats/row_tree.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

namespace tracefold {

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

}  // namespace tracefold
