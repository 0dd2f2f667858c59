// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/profile/detail/cubex_writer.hpp"

#include "base/bytes.hpp"
#include "base/error.hpp"
#include "questions/profile/detail/cubex_anchor.hpp"

#include <algorithm>
#include <bit>

namespace tracefold {

namespace {

constexpr u64 kBlock = 512;  // block size of a tar archive
constexpr u64 kMostBytes = u64{1} << 33U;
constexpr std::string_view kDataHead = "CUBEX.DATA";
constexpr std::string_view kIndexHead = "CUBEX.INDEX";

u64 padded(u64 size) { return (size + kBlock - 1) / kBlock * kBlock; }

void put_octal(std::string& block, std::size_t at, std::size_t digits, u64 value) {
    for (std::size_t i = digits; i-- > 0; value /= 8) {
        block[at + i] = static_cast<char>('0' + value % 8);
    }
}

/// Header block of a file in a POSIX archive (ustar).
std::string member_head(const std::string& name, u64 size) {
    std::string block(kBlock, '\0');
    std::copy(name.begin(), name.end(), block.begin());
    put_octal(block, 100, 7, 0644);
    put_octal(block, 108, 7, 0);
    put_octal(block, 116, 7, 0);
    put_octal(block, 124, 11, size);
    put_octal(block, 136, 11, 0);
    block[156] = '0';
    const std::string_view magic(
        "ustar\0"
        "00",
        8);
    std::copy(magic.begin(), magic.end(), block.begin() + 257);
    std::fill_n(block.begin() + 148, 8, ' ');
    u64 sum = 0;
    for (const char c : block) sum += static_cast<u8>(c);
    put_octal(block, 148, 6, sum);
    block[154] = '\0';
    return block;
}

/// The index of rows: all nodes in order.
std::string index_of_rows(u32 nodes) {
    ByteWriter out;
    out.put_bytes(kIndexHead);
    out.put_u32le(1);  // little endian
    out.put_bytes(std::string_view("\0\0", 2));
    out.put_u8(1);
    out.put_u32le(nodes);
    for (u32 node = 0; node < nodes; ++node) out.put_u32le(node);
    return out.take();
}

}  // namespace

CubexWriter::CubexWriter(TraceFile& file, const CallTree& tree, const ProfileRequest& request,
                         const TraceProfile& profile)
    : out_(request.cubex, request.force),
      profile_(profile),
      seconds_per_tick_(file.definitions().tick_rate().seconds_per_tick()) {
    const std::span<const LocationDefinition> locations = file.definitions().locations();
    for (std::size_t i = 0; i < request.selected.size(); ++i) {
        numbers_.push_back(request.selected[i] ? locations_++ : kNone);
        if (request.selected[i] && !locations[i].is_metric()) places_.push_back(numbers_[i]);
    }
    const u64 size = kDataHead.size() + u64{tree.size()} * locations_ * sizeof(u64);
    if (size >= kMostBytes) {
        throw Error(ErrorKind::unsupported,
                    request.cubex + ": a metric of this profile has " + std::to_string(size) +
                        " bytes, and the format of Cube has room for 8 GiB; select ranks");
    }
    std::vector<CubexMetric> all;
    for (const auto& [metric, told] : cubex_metrics(profile.has_times)) {
        metrics_.push_back({metric, reserve_rows(tree.size())});
        all.push_back(told);
    }
    std::vector<bool> occurs(profile.metric_members.size(), false);
    for (u32 i = 0; i < profile.metric_entries.size(); ++i) {
        const MetricEntry& entry = profile.metric_entries[i];
        entries_[entry.node].push_back(i);
        if (entry.node != kNone) occurs[entry.member] = true;
    }
    for (u32 member = 0; member < occurs.size(); ++member) {
        Rows& rows = rows_of_trace_.emplace_back();
        if (!occurs[member]) continue;
        const std::vector<CubexMetric> told = cubex_metrics(profile.metric_members[member], member);
        rows.sums = reserve_rows(tree.size());
        if (told.size() > 1) rows.counts = reserve_rows(tree.size());
        stored_ += told.size() > 1 ? 1 : 0;  // a formula metric has a number, too
        all.insert(all.end(), told.begin(), told.end());
    }
    write_member("anchor.xml", cubex_anchor(file, tree, request.selected, all));
    out_.write_at(end_, std::string(2 * kBlock, '\0'));
}

u64 CubexWriter::reserve_rows(u32 nodes) {
    const std::string name = std::to_string(stored_++);
    write_member(name + ".index", index_of_rows(nodes));
    const u64 size = kDataHead.size() + u64{nodes} * locations_ * sizeof(u64);
    const u64 at = reserve_member(name + ".data", size);
    out_.write_at(at, kDataHead);
    return at + kDataHead.size();
}

u64 CubexWriter::reserve_member(const std::string& name, u64 size) {
    out_.write_at(end_, member_head(name, size));
    const u64 at = end_ + kBlock;
    end_ = at + padded(size);
    return at;
}

void CubexWriter::write_member(const std::string& name, std::string_view bytes) {
    const u64 at = reserve_member(name, bytes.size());
    out_.write_at(at, bytes);
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
    out_.write_at(first_row + u64{node} * locations_ * sizeof(u64), row);
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

void CubexWriter::commit() { out_.commit(); }

}  // namespace tracefold
