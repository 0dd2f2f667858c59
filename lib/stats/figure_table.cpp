// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/figure_table.hpp"

#include "comm/reduction_tree.hpp"
#include "io/value_bytes.hpp"

namespace tracefold::inline stats {

void FigureTable::reduce(Communicator& comm, int fanout) {
    const auto serialise = [](FigureTable& mine) {
        ByteWriter out;
        mine.rows_.write(out);
        mine.figures_.resize(mine.rows_.size());
        ValueWriter write(out);
        for (const Figures& figures : mine.figures_) write(figures);
        return out.take();
    };
    const auto merge_bytes = [](FigureTable& mine, std::string_view bytes) { mine.merge(bytes); };
    reduce_tree(comm, *this, serialise, merge_bytes, fanout);
}

void FigureTable::merge(std::string_view bytes) {
    ByteReader in(bytes, "statistics of another process");
    const std::vector<u32> here = rows_.merge(in);
    figures_.resize(rows_.size());
    ValueReader read(in);
    for (const u32 row : here) {
        Figures figures;
        read(figures);
        figures_[row].merge(figures);
    }
    in.expect_end();
}

}  // namespace tracefold::inline stats
