// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/exchange.hpp"

#include "base/error.hpp"

#include <algorithm>
#include <numeric>

namespace tracefold {

namespace {

__extension__ using u128 = unsigned __int128;

u64 sum_of(std::span<const u64> numbers) {
    return std::accumulate(numbers.begin(), numbers.end(), u64{0});
}

/// a * b / c, rounded down.
u64 scaled(u64 a, u64 b, u64 c) {
    return c == 0 ? 0 : static_cast<u64>(static_cast<u128>(a) * b / c);
}

}  // namespace

Transport::Transport(std::vector<u64> row_sums, std::vector<u64> column_sums)
    : rows_(std::move(row_sums)), columns_(std::move(column_sums)), total_(sum_of(rows_)) {
    if (sum_of(columns_) != total_) scale_columns(total_);
    find_rest();
}

/// Proportional; the rounding remainder goes to the first columns.
void Transport::scale_columns(u64 total) {
    exact_ = false;
    if (columns_.empty()) return;
    if (sum_of(columns_) == 0) columns_.assign(columns_.size(), 1);
    const u64 wanted = sum_of(columns_);
    u64 asked = 0;
    u64 given = 0;
    for (u64& column : columns_) {
        asked += column;
        const u64 upto = scaled(total, asked, wanted);
        column = upto - given;
        given = upto;
    }
}

u64 Transport::largest_sum() const {
    u64 largest = 0;
    for (const u64 sum : rows_) largest = std::max(largest, sum);
    for (const u64 sum : columns_) largest = std::max(largest, sum);
    return largest;
}

u64 Transport::share(u32 row, u32 column) const {
    return scaled(rows_[row], columns_[column], total_);
}

void Transport::find_rest() {
    std::vector<u64> lacking = columns_;
    row_rest_.assign(1, 0);
    for (u32 row = 0; row < rows_.size(); ++row) {
        u64 rest = rows_[row];
        for (u32 column = 0; column < columns_.size() && rows_[row] != 0; ++column) {
            const u64 part = share(row, column);
            rest -= part;
            lacking[column] -= part;
        }
        row_rest_.push_back(row_rest_.back() + rest);
    }
    dealt_.resize(columns_.size());
    std::iota(dealt_.begin(), dealt_.end(), 0U);
    std::ranges::stable_sort(dealt_, [&](u32 a, u32 b) { return lacking[a] > lacking[b]; });
    place_.resize(columns_.size());
    for (u32 i = 0; i < dealt_.size(); ++i) place_[dealt_[i]] = i;
    layers_.assign(1, 0);
    u64 left = dealt_.size();
    for (u64 layer = 1; left != 0; ++layer) {
        while (left != 0 && lacking[dealt_[left - 1]] < layer) --left;
        if (left != 0) layers_.push_back(layers_.back() + left);
    }
}

void Transport::row(u32 row, std::vector<u64>& out) const {
    out.clear();
    for (u32 column = 0; column < columns_.size(); ++column) out.push_back(share(row, column));
    u64 at = row_rest_[row];
    auto layer = std::ranges::upper_bound(layers_, at) - 1;
    for (; at < row_rest_[row + 1]; ++at) {
        while (at >= *(layer + 1)) ++layer;
        ++out[dealt_[at - *layer]];
    }
}

void Transport::column(u32 column, std::vector<u64>& out) const {
    out.clear();
    for (u32 row = 0; row < rows_.size(); ++row) out.push_back(share(row, column));
    for (std::size_t layer = 0; layer + 1 < layers_.size(); ++layer) {
        const u64 at = layers_[layer] + place_[column];
        if (at >= layers_[layer + 1]) break;
        ++out[static_cast<std::size_t>(std::ranges::upper_bound(row_rest_, at) - row_rest_.begin() -
                                       1)];
    }
}

namespace {

CollectivePart part_of(const CollectiveRecords& records, u32 member) {
    CollectivePart part;
    part.kind = records.kind;
    part.sent = records.sizes[member].sent;
    part.received = records.sizes[member].received;
    part.root = records.root;
    if (records.first_side == records.sizes.size() || records.root == kNone) return part;
    const bool same_side = (member < records.first_side) == (records.root < records.first_side);
    const u32 side = records.root < records.first_side ? 0 : records.first_side;
    part.root = member == records.root ? kRootSelf
                : same_side            ? kRootThisGroup
                                       : records.root - side;
    return part;
}

std::vector<u64> column_of(const CollectiveRecords& records, u64 Contribution::*size, u32 first,
                           u32 last) {
    std::vector<u64> sums;
    for (u32 member = first; member < last; ++member) {
        sums.push_back(records.sizes[member].*size);
    }
    return sums;
}

}  // namespace

CollectiveScope scope_of(const CollectiveRecords& records, u32 member) {
    const auto all = static_cast<u32>(records.sizes.size());
    const bool first = member < records.first_side;
    CollectiveScope scope;
    scope.inter = records.first_side != all;
    scope.size = first ? records.first_side : all - records.first_side;
    scope.partners = scope.inter ? all - scope.size : all;
    scope.rank = first ? member : member - records.first_side;
    return scope;
}

Exchange::Exchange(const CollectiveRecords& records)
    : kind_(records.kind),
      root_(records.root),
      size_(static_cast<u32>(records.sizes.size())),
      first_side_(records.first_side) {
    if (!is_inter() && has_root(kind_) && root_ >= size_) {
        root_ = 0;
        compromise_ = true;
    }
    if (kind_ == CollectiveKind::barrier) return;
    if (is_matrix(kind_)) {
        spread(records);
    } else if (is_vector_collective(kind_)) {
        add_shares(records);
    } else {
        add_uniform(records);
    }
}

void Exchange::spread(const CollectiveRecords& records) {
    const auto add = [&](u32 from, u32 from_end, u32 to, u32 to_end) {
        matrices_.emplace_back(column_of(records, &Contribution::sent, from, from_end),
                               column_of(records, &Contribution::received, to, to_end));
        compromise_ = compromise_ || !matrices_.back().is_exact();
    };
    if (!is_inter()) {
        add(0, size_, 0, size_);
        return;
    }
    add(0, first_side_, first_side_, size_);
    add(first_side_, size_, 0, first_side_);
}

/// Operations whose members all have equal shares; the sides of an intercommunicator differ.
void Exchange::add_uniform(const CollectiveRecords& records) {
    std::vector<u64> blocks;
    for (u32 member = 0; member < size_; ++member) {
        const UniformArguments own =
            uniform_arguments(part_of(records, member), scope_of(records, member));
        const bool sends = is_inter() && kind_ != CollectiveKind::scatter &&
                           kind_ != CollectiveKind::reduce_scatter_block;
        blocks.push_back(sends ? own.send : std::max(own.send, own.receive));
    }
    const auto largest_of = [&](u32 first, u32 last) {
        const auto range = std::span(blocks).subspan(first, last - first);
        const u64 largest = range.empty() ? 0 : *std::ranges::max_element(range);
        // Members without a part, or with their own part in place, record 0.
        compromise_ = compromise_ || std::ranges::any_of(range, [largest](u64 bytes) {
                          return bytes != largest && bytes != 0;
                      });
        std::ranges::fill(range, largest);
    };
    largest_of(0, first_side_);
    largest_of(first_side_, size_);
    set_blocks(std::move(blocks));
}

/// Operations whose members have shares of different sizes.
void Exchange::add_shares(const CollectiveRecords& records) {
    std::vector<u64> blocks;
    const bool gathers = kind_ == CollectiveKind::gatherv || kind_ == CollectiveKind::allgatherv;
    if (kind_ == CollectiveKind::gatherv || kind_ == CollectiveKind::scatterv) {
        for (const Contribution& one : records.sizes) {
            blocks.push_back(gathers ? one.sent : one.received);
        }
        set_blocks(std::move(blocks));
        return;
    }
    if (!is_inter()) {
        VectorArguments arguments;
        try {
            vector_arguments(part_of(records, 0), scope_of(records, 0), records.sizes,
                             records.sizes, arguments);
            set_blocks(std::move(arguments.receive));
            return;
        } catch (const Error&) {
            compromise_ = true;
        }
    }
    for (u32 member = 0; member < size_; ++member) {
        const Contribution& one = records.sizes[member];
        blocks.push_back((gathers ? one.sent : one.received) /
                         std::max(1U, scope_of(records, member).partners));
    }
    set_blocks(std::move(blocks));
}

void Exchange::set_blocks(std::vector<u64> blocks) {
    bytes_ = blocks.empty() ? 0 : blocks.front();
    if (std::ranges::all_of(blocks, [this](u64 bytes) { return bytes == bytes_; })) return;
    blocks_ = std::move(blocks);
    summed_.assign(1, 0);
    for (const u64 bytes : blocks_) summed_.push_back(summed_.back() + bytes);
}

u64 Exchange::blocks(u32 first, u32 count) const {
    if (blocks_.empty()) return bytes_ * count;
    const u32 last = first + count;
    if (last <= size_) return summed_[last] - summed_[first];
    return summed_[size_] - summed_[first] + summed_[last - size_];
}

u64 Exchange::largest_sum() const {
    if (matrices_.empty()) return blocks(0, size_);
    u64 largest = 0;
    for (const Transport& matrix : matrices_) largest = std::max(largest, matrix.largest_sum());
    return largest;
}

void Exchange::sends(u32 member, std::vector<u64>& out) const {
    if (member < first_side_) return matrices_[0].row(member, out);
    matrices_[1].row(member - first_side_, out);
}

void Exchange::receives(u32 member, std::vector<u64>& out) const {
    if (!is_inter()) return matrices_[0].column(member, out);
    if (member < first_side_) return matrices_[1].column(member, out);
    matrices_[0].column(member - first_side_, out);
}

namespace {

u64 channel_key(u64 comm, u32 tag) { return comm << 32U | tag; }

CollectiveKind kind_of(const CollectiveInstances::Context& context, const CollectivePart& part) {
    const bool synchronises = (context.key & kWindowContext) != 0 || !is_communication(part.kind);
    return synchronises ? CollectiveKind::barrier : part.kind;
}

}  // namespace

CommunicationSurvey::CommunicationSurvey(TraceFile& file, u32 threads, SizeSource sizes)
    : member_of_(file.definitions().world_size(), kNone) {
    findings_ = check_replay(file, *this, Times::skip, threads, nullptr, sizes);
    refuse_what_does_not_go_together(sizes);
    for (const ReplayPatch& patch : findings_.patches) {
        patches_.emplace(patch.location, &patch);
    }
    for (std::size_t context = 0; context < contexts_.size(); ++context) {
        contexts_[context].column = orders_[context].finish(pool_);
    }
    orders_.clear();
}

void CommunicationSurvey::refuse_what_does_not_go_together(SizeSource sizes) const {
    for (const Finding& finding : findings_.findings) {
        const FindingInfo& info = finding_info(finding.kind);
        // These findings matter only where calls are issued.
        const bool is_of_execution = finding.kind == FindingKind::freed_communicator ||
                                     finding.kind == FindingKind::crossed_request ||
                                     finding.kind == FindingKind::beyond_memory ||
                                     finding.kind == FindingKind::unordered_threads;
        const bool is_of_size =
            finding.kind == FindingKind::sender_size && sizes == SizeSource::recorded;
        const bool hinders = info.hinders && !can_be_skipped(finding.kind) && !is_of_execution;
        if (!hinders && !is_of_size) continue;
        const std::string example = finding.examples.empty() ? "" : ": " + finding.examples.front();
        const std::string subject = finding.kind == FindingKind::no_mpi ? "" : "the trace has ";
        throw Error(ErrorKind::unsupported, subject + std::string(info.what) + example);
    }
}

const ReplayPatch* CommunicationSurvey::patch(u32 location) const {
    const auto found = patches_.find(location);
    return found == patches_.end() ? nullptr : found->second;
}

u32 CommunicationSurvey::channel(u64 comm, u32 tag) const {
    const auto found = channels_.find(channel_key(comm, tag));
    if (found == channels_.end()) {
        throw Error(ErrorKind::internal, "a message was not met in the first walk");
    }
    return found->second;
}

const CommunicationSurvey::Context* CommunicationSurvey::context(u64 key) const {
    const auto found = context_numbers_.find(key);
    return found == context_numbers_.end() ? nullptr : &contexts_[found->second];
}

void CommunicationSurvey::matched_collective(const CollectiveInstances::Context& context,
                                             const CollectiveInstances::Instance& instance) {
    const auto [found, fresh] =
        context_numbers_.try_emplace(context.key, static_cast<u32>(contexts_.size()));
    if (fresh) {
        contexts_.push_back({found->second, context.members, context.first_side, kNone});
        orders_.emplace_back();
    }
    if (members_of_ != found->second) {
        members_of_ = found->second;
        for (u32 member = 0; member < context.members.size(); ++member) {
            member_of_[context.members[member]] = member;
        }
    }
    const NotedExchange noted{found->second, exchange_number(context, instance)};
    orders_[noted.context].push(noted.exchange);
    if (notes_) noted_.push_back(noted);
}

void CommunicationSurvey::begin_iteration(const std::vector<std::size_t>& /*calls*/) {
    notes_ = true;
    noted_.clear();
    cancelled_before_ = cancelled_.size();
}

bool CommunicationSurvey::end_iteration() {
    notes_ = false;
    return cancelled_.size() == cancelled_before_;
}

void CommunicationSurvey::repeat(const std::vector<IterationSource*>& /*sources*/, u64 times) {
    for (u64 i = 0; i < times; ++i) {
        for (const NotedExchange& noted : noted_) orders_[noted.context].push(noted.exchange);
    }
}

u64 CommunicationSurvey::exchange_number(const CollectiveInstances::Context& context,
                                         const CollectiveInstances::Instance& instance) {
    records_.kind = kind_of(context, instance.part);
    records_.root = instance.part.root < context.members.size() ? instance.part.root : kNone;
    records_.first_side = context.first_side;
    const bool has_sizes = records_.kind != CollectiveKind::barrier;
    records_.sizes.assign(context.members.size(), {});
    if (context.first_side != context.members.size() || !has_sizes) records_.root = kNone;
    for (const CollectiveInstances::Arrival& arrival : instance.present) {
        const u32 member = member_of_[arrival.rank];
        if (arrival.root == kRootSelf) records_.root = member;
        if (has_sizes) records_.sizes[member] = {arrival.sent, arrival.received};
    }
    numbers_ = {static_cast<u64>(records_.kind), records_.root, records_.first_side,
                records_.sizes.size()};
    for (const Contribution& one : records_.sizes) {
        if (!has_sizes) break;
        numbers_.push_back(one.sent);
        numbers_.push_back(one.received);
    }
    const auto [known, fresh] =
        known_exchanges_.try_emplace(content_hash(numbers_), exchanges_.size());
    if (fresh) exchanges_.emplace_back(records_);
    return known->second;
}

void CommunicationSurvey::cancelled_send(u32 location, u64 index) {
    cancelled_.insert(place(location, index));
}

void CommunicationSurvey::channel(const Channels::Key& key) {
    channels_.try_emplace(channel_key(key.comm, key.tag), static_cast<u32>(channels_.size()));
}

bool is_whole_world(const CommunicationSurvey::Context& context, u32 ranks) {
    if (context.members.size() != ranks || context.first_side != ranks) return false;
    for (u32 member = 0; member < ranks; ++member) {
        if (context.members[member] != member) return false;
    }
    return true;
}

}  // namespace tracefold
