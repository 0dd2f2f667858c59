// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/bin_table.hpp"

#include "core/error.hpp"
#include "stats/over_processes.hpp"

namespace tracefold {

namespace {

/// Most cells are empty: the others are written with the distance from the one before.
void write_cells(const std::vector<u64>& cells, ByteWriter& out) {
    u64 used = 0;
    for (const u64 count : cells) used += count != 0 ? 1 : 0;
    out.put_varint(used);
    std::size_t last = 0;
    for (std::size_t cell = 0; cell < cells.size(); ++cell) {
        if (cells[cell] == 0) continue;
        out.put_varint(cell - last);
        out.put_varint(cells[cell]);
        last = cell;
    }
}

}  // namespace

std::vector<u64>& BinTable::cells(u32 row) {
    if (row >= counts_.size()) counts_.resize(row + 1);
    if (counts_[row].empty()) counts_[row].resize(layout_.cells(), 0);
    return counts_[row];
}

void BinTable::add(const Sample& sample) {
    if (sample.over != layout_.over || sample.quantity != layout_.quantity) return;
    const u64 column = sample.iteration / layout_.per_column;
    if (column >= layout_.columns || sample.value < layout_.bins.min() ||
        sample.value > layout_.bins.max()) {
        throw Error(ErrorKind::corrupt, "a loop has more iterations than its counts add up to");
    }
    cells(sample.row)[column * layout_.bins.count() + layout_.bins.of(sample.value)] +=
        sample.times;
}

void BinTable::reduce(Communicator& comm, int fanout) {
    const auto merge = [size = layout_.cells()](std::vector<u64>& cells, ByteReader& in) {
        u64 cell = 0;
        for (u64 left = in.get_count(2); left > 0; --left) {
            cell += in.get_varint();
            if (cell >= size) in.fail("there is no such bin");
            cells.resize(size, 0);
            cells[cell] += in.get_varint();
        }
    };
    reduce_rows(comm, rows_, counts_, "histograms of another process", write_cells, merge, fanout);
}

}  // namespace tracefold
