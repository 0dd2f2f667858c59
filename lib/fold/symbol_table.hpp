// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/types.hpp"
#include "fold/mapping_tables.hpp"
#include "fold/request_list.hpp"
#include "model/definition_index.hpp"
#include "model/record_batch.hpp"
#include "model/record_kinds.hpp"
#include "model/symbol.hpp"

#include <array>
#include <map>
#include <span>
#include <vector>

namespace tracefold {

/// A cheap key of a location's records: equal keys have equal elements.
using RecordKey = u64;

/// For records without a key; never found.
inline constexpr RecordKey kNoKey = ~RecordKey{0};

/// `detail` determines the element together with the type. Precondition: detail is below 2^56.
constexpr RecordKey make_key(u8 type, u64 detail) { return detail << 8U | type; }

/// The role of an event record in the call model.
enum class RecordRole : u8 { plain, opens, closes, completion, uses_request };

inline constexpr u8 kNoDetail = 0xFF;

/// Properties of a record type for the call model.
struct RecordTraits {
    RecordRole role = RecordRole::plain;
    bool operation = false;   ///< a call has one such record per request, RMA or I/O operation
    bool arrays = false;      ///< its second value is the length of its arrays
    bool collective = false;  ///< has the sizes of a collective, which may be inexpressible
    bool context = false;     ///< its first field is a region or calling context
    u8 detail = kNoDetail;    ///< index of the value (region, array length) behind its element
    const PostingKind* posting = nullptr;
};

namespace detail {

constexpr RecordRole role_of(u8 type) {
    if (is_enter(type)) return RecordRole::opens;
    if (is_leave(type)) return RecordRole::closes;
    if (completes_request(type)) return RecordRole::completion;
    return uses_request(type) ? RecordRole::uses_request : RecordRole::plain;
}

constexpr RecordTraits traits_of(u8 type) {
    const RecordInfo& info = event_info(type);
    RecordTraits traits;
    traits.role = role_of(type);
    traits.arrays = info.has_arrays();
    traits.context = traits.role == RecordRole::opens || traits.role == RecordRole::closes;
    traits.detail = traits.context ? 0 : traits.arrays ? 1 : kNoDetail;
    traits.posting = posting_kind(type);
    for (u8 i = 0; i < info.field_count; ++i) {
        const FieldKind kind = info.fields[i].kind;
        traits.collective = traits.collective || kind == FieldKind::op;
        // The last field decides.
        traits.operation = kind == FieldKind::request_new || kind == FieldKind::matching_id;
    }
    if (type == static_cast<u8>(EventType::MpiImrecv)) traits.operation = true;
    return traits;
}

inline constexpr std::array<RecordTraits, kCompletions + 1> kRecordTraits = [] {
    std::array<RecordTraits, kCompletions + 1> all{};
    for (u8 type = 0; type < kEventTypes; ++type) all[type] = traits_of(type);
    return all;
}();

}  // namespace detail

/// By event type; kCompletions has no traits.
constexpr const RecordTraits& record_traits(u8 type) { return detail::kRecordTraits[type]; }

/// Returns the key of an event; kNoKey if it has attributes. Precondition: ids are below 2^56.
inline RecordKey key_of(const RecordBatch& batch, const RecordBatch::Head& head) {
    if (head.attribute_count != 0) return kNoKey;
    const u8 detail = record_traits(head.type).detail;
    return make_key(head.type, detail == kNoDetail ? 0 : batch.values(head)[detail]);
}

/// The symbols of one location stream and the columns of their slots. Elements are numbered by
/// content; a symbol is a path from the root of a trie over element numbers, so the hot path needs
/// no hashing.
class SymbolTable {
  public:
    /// The columns of an element within the location's columns.
    struct ElementColumns {
        u32 first = 0;  ///< column of its first immediate slot
        u32 late = 0;   ///< column of its first late slot
    };
    struct Entry {
        std::vector<ElementColumns> elements;
        u32 first_group = 0;  ///< timing group of its first element
    };

    explicit SymbolTable(Stream stream) : stream_(stream), trie_(1) {}

    u32 element(const Element& element);
    [[nodiscard]] const Element& operator[](u32 element) const { return elements_[element]; }

    static constexpr u32 kRoot = 0;
    /// Returns the trie node after appending an element; registers `key` for it.
    u32 step(u32 node, u32 element, RecordKey key = kNoKey);
    /// Returns the trie node after appending an element given by key; kNone if unknown. Cost: one
    /// compare if the last step from this node was the same.
    u32 follow(u32 node, RecordKey key) {
        const Way& last = trie_[node].last;
        return last.key == key ? last.target : turn(node, key);
    }
    [[nodiscard]] u32 parent(u32 node) const { return trie_[node].parent; }
    /// The element of a node. Precondition: not the root.
    [[nodiscard]] u32 element_at(u32 node) const { return trie_[node].element; }
    /// Record type of the element; kCompletions for the root.
    [[nodiscard]] u8 type_at(u32 node) const { return trie_[node].type; }
    /// The symbol of the path to a node, numbered by first use.
    u32 symbol_at(u32 node) {
        const u32 symbol = trie_[node].symbol;
        return symbol != kNone ? symbol : make_symbol(node);
    }

    [[nodiscard]] const Entry& entry(u32 symbol) const { return entries_[symbol]; }
    [[nodiscard]] const std::vector<Symbol>& symbols() const { return symbols_; }

  private:
    struct Way {
        RecordKey key = kNoKey;
        u32 target = kNone;
    };
    struct Edge {
        u32 element;
        u32 target;
    };
    struct Node {
        Way last;  ///< the last one followed
        u32 parent = 0;
        u32 element = kNone;
        u32 symbol = kNone;
        u8 type = kCompletions;
        std::vector<Way> ways = {};
        std::vector<Edge> edges = {};  ///< of the root: none, see singles_
    };

    u32 turn(u32 node, RecordKey key);
    u32 child(u32 node, u32 element);
    u32 make_symbol(u32 node);

    Stream stream_;
    std::vector<Element> elements_;
    std::map<Element, u32> element_index_;
    std::vector<u32> singles_;  ///< by element: child of the root
    std::vector<Node> trie_;
    std::vector<Symbol> symbols_;
    std::vector<Entry> entries_;
    u32 columns_ = 0;
    u32 groups_ = 0;
};

/// Detects polling regions of a location: tests, as MPI_Test, that mostly fail. A failed poll
/// carries no information but time. With separate symbols, failed polls become a count in the
/// script, and the following call implies the success; regions whose tests succeed more often use
/// one symbol for both, which keeps the script that of the program. All regions are judged
/// together, on a stretch of records from the first test on, which the encoder buffers. Cost: a
/// lookup per Enter.
class PollDetector {
  public:
    using Heads = std::span<const RecordBatch::Head>;

    /// Both must outlive the detector.
    PollDetector(const DefinitionIndex& definitions, const MappingTables& tables)
        : definitions_(definitions), tables_(tables) {}

    /// Returns the number of records before the first test of an unjudged region.
    [[nodiscard]] std::size_t records_before_test(const RecordBatch& batch, Heads heads);
    /// Observes the next records; returns how many it consumed: fewer if the stretch is complete.
    std::size_t watch(const RecordBatch& batch, Heads heads);
    /// True if the stretch has its maximum length.
    [[nodiscard]] bool has_seen_enough() const { return records_ == kStretch; }
    /// Judges the regions with tests in the stretch and ends it; returns true if any polls.
    bool judge();

    /// True if the region with this raw id was found to poll.
    [[nodiscard]] bool polls(u64 raw) const {
        return raw < regions_.size() && regions_[raw] == Region::polls;
    }

  private:
    enum class Region : u8 {
        unknown,  ///< never seen
        tests,    ///< to be judged
        watched,  ///< unjudged, with tests in the stretch
        polls,
        other,
    };

    static constexpr u32 kStretch = u32{1} << 15U;
    /// Threshold: failed polls exceed five times the successful ones, and by a minimum number,
    /// since a second symbol takes some bytes.
    static constexpr u32 kRatio = 5;
    static constexpr u32 kMargin = 64;
    /// Regions with larger raw ids count as not polling.
    static constexpr u64 kMostRegions = 65536;

    /// Returns the unjudged region that the record enters; null otherwise.
    Region* test_of(const RecordBatch& batch, const RecordBatch::Head& head);
    [[nodiscard]] Region look_up(u64 raw) const;
    void end_test();

    const DefinitionIndex& definitions_;
    const MappingTables& tables_;
    std::vector<Region> regions_;  ///< by raw id
    // Of the stretch:
    u32 records_ = 0;
    u32 failed_ = 0;  ///< tests without completions
    u32 succeeded_ = 0;
    bool in_test_ = false;
    bool completed_ = false;  ///< a request completed in this test
};

}  // namespace tracefold
