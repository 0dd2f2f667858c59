// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/message_sizes.hpp"
#include "inspect/matrix/matrix.hpp"
#include "inspect/matrix/sizes.hpp"
#include "inspect/report/sections.hpp"

#include <sstream>

namespace tracefold {

namespace {

/// Ranks of which each still has a row.
constexpr u64 kMostRanks = 512;

/// False if there is no such traffic.
bool put_matrix_of(ReportPage& page, ReportSource& source, TrafficKind kind) {
    const bool by_rank = source.names.rank_count() <= kMostRanks;
    const RankGroups groups =
        rank_groups(source.file, source.names, by_rank ? GroupBy::rank : GroupBy::rank_class);
    const MatrixView view{
        traffic_matrix(source.file, source.listing.counts(), groups, source.everyone, kind),
        {source.name, traffic_name(kind), by_rank ? "rank" : "class", Metric::bytes}};
    if (view.matrix.cells.empty()) return false;
    std::ostringstream svg;
    write_svg(view.matrix, view.title, svg);
    page.picture(svg.str());
    std::ostringstream csv;
    write_matrix_csv(view, csv);
    page.data("matrix-" + std::string(traffic_name(kind)) + ".csv", csv.str());
    return true;
}

}  // namespace

void put_matrix(ReportPage& page, ReportSource& source) {
    page.begin("Who sends to whom", "matrix");
    page.note("Rows send, columns receive; the darker, the more bytes.");
    const bool messages = put_matrix_of(page, source, TrafficKind::point_to_point);
    const bool transfers = put_matrix_of(page, source, TrafficKind::one_sided);
    if (!messages && !transfers) page.note("There are no messages between single ranks.");
    page.end();
    page.explain("point-to-point",
                 "Messages from one rank to another, as their senders "
                 "recorded them.");
    page.explain("one-sided",
                 "Puts, gets and atomic operations on windows, in the direction of "
                 "the data.");
}

void put_sizes(ReportPage& page, ReportSource& source) {
    page.begin("Sizes of messages", "sizes");
    const MessageSizes sizes =
        message_sizes(source.file, source.listing.counts(), source.everyone, false);
    if (sizes.histograms.empty()) {
        page.note("There is no communication.");
    } else {
        std::ostringstream svg;
        write_sizes_svg(source.name, sizes, svg);
        page.picture(svg.str());
        std::ostringstream csv;
        write_sizes_csv(sizes, false, csv);
        page.data("sizes.csv", csv.str());
    }
    page.end();
    page.explain("size class", "Sizes from one power of two to just below the next one.");
    page.explain("bytes of collectives",
                 "What a member sends and receives, its own part included, as OTF2 counts it.");
}

}  // namespace tracefold
