// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/symbol_table.hpp"

#include "model/mpi_function.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Finds an entry and moves it to the front, so frequent ones are found fast.
template <class Entry, class Matches>
const Entry* find_to_front(std::vector<Entry>& entries, const Matches& matches) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!matches(entries[i])) continue;
        if (i != 0) std::swap(entries[i], entries[i / 2]);
        return &entries[i / 2];
    }
    return nullptr;
}

}  // namespace

u32 SymbolTable::element(const Element& element) {
    const auto [found, fresh] = element_index_.emplace(element, static_cast<u32>(elements_.size()));
    if (fresh) {
        elements_.push_back(element);
        singles_.push_back(kNone);
    }
    return found->second;
}

u32 SymbolTable::child(u32 node, u32 element) {
    if (node == kRoot) {
        if (singles_[element] != kNone) return singles_[element];
        singles_[element] = static_cast<u32>(trie_.size());
    } else {
        const auto same = [element](const Edge& edge) { return edge.element == element; };
        const Edge* const known = find_to_front(trie_[node].edges, same);
        if (known != nullptr) return known->target;
        trie_[node].edges.push_back({element, static_cast<u32>(trie_.size())});
    }
    trie_.push_back({{}, node, element, kNone, elements_[element].type});
    return static_cast<u32>(trie_.size() - 1);
}

u32 SymbolTable::step(u32 node, u32 element, RecordKey key) {
    const u32 target = child(node, element);
    if (key != kNoKey) {
        trie_[node].last = {key, target};
        trie_[node].ways.push_back({key, target});
    }
    return target;
}

/// Follows another edge than the last one from this node.
u32 SymbolTable::turn(u32 node, RecordKey key) {
    if (key == kNoKey) return kNone;
    const auto same = [key](const Way& way) { return way.key == key; };
    const Way* const known = find_to_front(trie_[node].ways, same);
    if (known == nullptr) return kNone;
    trie_[node].last = *known;
    return known->target;
}

u32 SymbolTable::make_symbol(u32 node) {
    Symbol symbol;
    for (u32 at = node; at != kRoot; at = trie_[at].parent) {
        symbol.elements.push_back(elements_[trie_[at].element]);
    }
    std::reverse(symbol.elements.begin(), symbol.elements.end());
    Entry entry;
    entry.elements.resize(symbol.elements.size(), {kNone, kNone});
    for (const Slot& slot : slots_of(stream_, symbol)) {
        ElementColumns& columns = entry.elements[slot.element];
        u32& first = slot.late ? columns.late : columns.first;
        first = std::min(first, columns_);
        ++columns_;
    }
    entry.first_group = groups_;
    groups_ += static_cast<u32>(symbol.elements.size());
    trie_[node].symbol = static_cast<u32>(symbols_.size());
    symbols_.push_back(std::move(symbol));
    entries_.push_back(std::move(entry));
    return trie_[node].symbol;
}

PollDetector::Region PollDetector::look_up(u64 raw) const {
    const u64 region = tables_.global(FieldKind::region, raw);
    return tests_requests(definitions_.region_name(region)) ? Region::tests : Region::other;
}

PollDetector::Region* PollDetector::test_of(const RecordBatch& batch,
                                            const RecordBatch::Head& head) {
    if (head.type != static_cast<u8>(EventType::Enter)) return nullptr;
    const u64 raw = batch.values(head)[0];
    if (raw >= regions_.size()) {
        if (raw >= kMostRegions) return nullptr;
        regions_.resize(raw + 1);
    }
    Region& region = regions_[raw];
    if (region == Region::unknown) region = look_up(raw);
    return region == Region::tests || region == Region::watched ? &region : nullptr;
}

/// On the hot path of most programs: dismisses most records at once.
std::size_t PollDetector::records_before_test(const RecordBatch& batch, Heads heads) {
    for (std::size_t i = 0; i < heads.size(); ++i) {
        if (heads[i].type != static_cast<u8>(EventType::Enter)) continue;
        const u64 raw = batch.values(heads[i])[0];
        if (raw < regions_.size() && regions_[raw] == Region::other) continue;
        if (test_of(batch, heads[i]) != nullptr) return i;
    }
    return heads.size();
}

std::size_t PollDetector::watch(const RecordBatch& batch, Heads heads) {
    const Heads part = heads.first(std::min<std::size_t>(heads.size(), kStretch - records_));
    for (const RecordBatch::Head& head : part) {
        const RecordRole role = record_traits(head.type).role;
        if (role == RecordRole::completion) completed_ = true;
        if (role != RecordRole::opens && role != RecordRole::closes) continue;
        end_test();
        Region* const test = test_of(batch, head);
        if (test == nullptr) continue;
        *test = Region::watched;
        in_test_ = true;
        completed_ = false;
    }
    records_ += static_cast<u32>(part.size());
    return part.size();
}

void PollDetector::end_test() {
    if (in_test_) ++(completed_ ? succeeded_ : failed_);
    in_test_ = false;
}

bool PollDetector::judge() {
    const Region found = failed_ > kRatio * succeeded_ + kMargin ? Region::polls : Region::other;
    std::replace(regions_.begin(), regions_.end(), Region::watched, found);
    records_ = failed_ = succeeded_ = 0;
    in_test_ = false;
    return found == Region::polls;
}

}  // namespace tracefold
