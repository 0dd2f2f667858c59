// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/cubex_writer.hpp"

#include "base/bytes.hpp"
#include "questions/profile/detail/cubex_anchor.hpp"

#include <bit>
#include <numeric>

namespace tracefold {

CubexWriter::CubexWriter(TraceFile& file, const CallTree& tree, const ProfileRequest& request,
                         const TraceProfile& profile)
    : profile_(profile), seconds_per_tick_(file.definitions().tick_rate().seconds_per_tick()) {
    const std::span<const LocationDefinition> locations = file.definitions().locations();
    for (std::size_t i = 0; i < request.selected.size(); ++i) {
        numbers_.push_back(request.selected[i] ? locations_++ : kNone);
        if (request.selected[i] && !locations[i].is_metric()) places_.push_back(numbers_[i]);
    }
    row_bytes_ = u64{locations_} * sizeof(u64);
    archive_.emplace(request.cubex, request.force, tree.size(), row_bytes_);
    std::vector<u32> rows(tree.size());
    std::iota(rows.begin(), rows.end(), 0U);
    std::vector<CubexMetric> all;
    for (const auto& [metric, told] : cubex_metrics(profile.has_times)) {
        metrics_.push_back({metric, archive_->reserve_rows(rows, row_bytes_)});
        all.push_back(told);
    }
    std::vector<bool> occurs(profile.metric_members.size(), false);
    for (u32 i = 0; i < profile.metric_entries.size(); ++i) {
        const MetricEntry& entry = profile.metric_entries[i];
        entries_[entry.node].push_back(i);
        if (entry.node != kNone) occurs[entry.member] = true;
    }
    for (u32 member = 0; member < occurs.size(); ++member) {
        Rows& stored = rows_of_trace_.emplace_back();
        if (!occurs[member]) continue;
        const std::vector<CubexMetric> told = cubex_metrics(profile.metric_members[member], member);
        stored.sums = archive_->reserve_rows(rows, row_bytes_);
        if (told.size() > 1) stored.counts = archive_->reserve_rows(rows, row_bytes_);
        if (told.size() > 1) archive_->skip_metric();  // a formula metric has a number, too
        all.insert(all.end(), told.begin(), told.end());
    }
    archive_->write_anchor(cubex_anchor(file, tree, request.selected, all));
}

void CubexWriter::add(u32 node, const ProfileOptions::Rows& rows) {
    for (const Metric& metric : metrics_) {
        row_.assign(locations_, 0);
        for (u32 column = 0; column < places_.size(); ++column) {
            row_[places_[column]] = value_of(metric.metric, rows, column);
        }
        ByteWriter out;
        for (const u64 value : row_) out.put_u64le(value);
        put_row(metric.offset, node, out.take());
    }
    add_metrics_of_trace(node);
}

u64 CubexWriter::value_of(ProfileMetric metric, const ProfileOptions::Rows& rows,
                          u32 column) const {
    const auto value = [&](ProfileMetric of) {
        const std::span<const u64> row = rows[index_of(of)];
        return row.empty() ? u64{0} : row[column];
    };
    // Cube adds up values of 64 bits: one that needs more is left out, and named in the profile.
    const auto bytes = [](u64 sum, u64 more) {
        add_saturated(sum, more);
        return sum == kOverflow ? 0 : sum;
    };
    switch (metric) {
        case ProfileMetric::time:
            return std::bit_cast<u64>(static_cast<double>(value(metric)) * seconds_per_tick_);
        case ProfileMetric::sent:
            return bytes(value(ProfileMetric::sent_messages),
                         value(ProfileMetric::sent_collective));
        case ProfileMetric::received:
            return bytes(value(ProfileMetric::received_messages),
                         value(ProfileMetric::received_collective));
        default:
            return bytes(value(metric), 0);
    }
}

void CubexWriter::put_row(u64 first_row, u32 node, std::string_view row) {
    archive_->write_row(first_row + node * row_bytes_, row);
}

void CubexWriter::add_metrics_of_trace(u32 node) {
    const auto found = entries_.find(node);
    for (u32 member = 0; member < rows_of_trace_.size(); ++member) {
        if (rows_of_trace_[member].sums == 0) continue;
        std::vector<double> sums(locations_, 0);
        std::vector<u64> counts(locations_, 0);
        for (const u32 i : found == entries_.end() ? std::vector<u32>() : found->second) {
            const MetricEntry& entry = profile_.metric_entries[i];
            const u32 number = numbers_[entry.location];
            if (entry.member != member || number == kNone) continue;
            sums[number] = entry.tally.sum() * profile_.metric_members[member].scale();
            counts[number] = entry.tally.count();
        }
        ByteWriter out;
        for (const double sum : sums) out.put_u64le(std::bit_cast<u64>(sum));
        put_row(rows_of_trace_[member].sums, node, out.take());
        if (rows_of_trace_[member].counts == 0) continue;
        for (const u64 count : counts) out.put_u64le(count);
        put_row(rows_of_trace_[member].counts, node, out.take());
    }
}

void CubexWriter::commit() { archive_->commit(); }

}  // namespace tracefold
