// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "base/memory.hpp"
#include "fold/calls/pending_call.hpp"
#include "fold/field_codec.hpp"
#include "fold/mapping_tables.hpp"
#include "fold/request_list.hpp"
#include "fold/symbol_table.hpp"
#include "model/record_batch.hpp"

#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// An expected record of a call.
struct ExpectedRecord {
    u64 detail = 0;            ///< its region or the length of its arrays,
    u8 detail_at = kNoDetail;  ///< and the index of that value
    u8 type = 0;
    bool has_values = false;  ///< has more than a region or calling context
    bool posts = false;       ///< it creates a request
    u32 node = 0;             ///< node of the symbol table after this record

    [[nodiscard]] bool is(const RecordBatch& batch, const RecordBatch::Head& head) const {
        return head.type == type && head.attribute_count == 0 &&
               (detail_at == kNoDetail || batch.values(head)[detail_at] == detail);
    }
};

/// The expected records of a call from Enter to Leave. Empty if the symbol does not determine them
/// (completions, attributes) or if checking whether they can be encoded is expensive.
using ExpectedCall = std::vector<ExpectedRecord>;

/// Returns the records of the symbol at a node. Cost: linear in its elements.
ExpectedCall expected_call(const SymbolTable& table, u32 node, const MappingTables& tables);

inline bool is_next(const ExpectedCall& expected, const RecordBatch& batch,
                    std::span<const RecordBatch::Head> heads) {
    if (expected.size() > heads.size()) return false;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        if (!expected[i].is(batch, heads[i])) return false;
    }
    return true;
}

/// Number of records stored verbatim because the call model cannot express them, by reason.
struct RawRecords {
    u64 unknown_request = 0;  ///< a completion whose request was never created or is out of reach
    u64 inexpressible = 0;    ///< sizes of 2^63 bytes and more, attributes on a completion

    [[nodiscard]] u64 total() const { return unknown_request + inexpressible; }
};

/// Converts the raw event records of one location to call symbols and column values. A region with
/// plain records only (any MPI call, a leaf function) becomes one symbol; nested or unbalanced
/// regions become one symbol per record. The data of receives and nonblocking collectives move to
/// the posting call. CallDecoder is the exact inverse. Cost: O(1) per record plus the distance of
/// completions; memory: outstanding requests and distinct symbols.
class CallEncoder {
  public:
    /// The definitions and tables must outlive the encoder. Without `timing` no deltas are
    /// produced. `scout`, if given, identifies polling regions, each before its first test is
    /// encoded.
    CallEncoder(const DefinitionIndex& definitions, const MappingTables& tables,
                const LocationDefinition& location, bool timing,
                const PollDetector* scout = nullptr);

    /// Appends the calls completed by these records.
    void encode(const RecordBatch& records, CallBatch& out) {
        encode(records, records.heads(), out);
    }
    /// Encodes some records of the batch.
    void encode(const RecordBatch& records, std::span<const RecordBatch::Head> heads,
                CallBatch& out);
    /// Appends the incomplete calls. Call once, after the last record.
    void finish(CallBatch& out);

    /// True between calls without outstanding requests: the encoding of the following records
    /// depends on previous ones only by the ids of the mark.
    [[nodiscard]] bool at_rest() const { return call_.empty() && requests_.oldest() == kNone; }
    struct Mark {
        CountedIds ids;
        u64 time = 0;  ///< of the last record
        u64 raw_records = 0;
    };
    [[nodiscard]] Mark mark() const { return {codec_.last_ids(), last_time_, raw_.total()}; }
    /// Continues at rest from another time and other ids.
    void resume(const Mark& mark) {
        codec_.set_last_ids(mark.ids);
        last_time_ = mark.time;
    }

    [[nodiscard]] const std::vector<Symbol>& symbols() const { return call_.table().symbols(); }
    /// By column: the location's view on its peers.
    [[nodiscard]] const std::vector<PeerView>& peer_views() const { return call_.peer_views(); }
    [[nodiscard]] const RawRecords& raw_records() const { return raw_; }
    /// For the decoder: true if requests restarted, see FieldCodec.
    [[nodiscard]] bool has_restarts() const { return codec_.has_restarts(); }
    void expect_restarts() { codec_.expect_restarts(); }

  private:
    /// Cached properties of a region or calling context.
    struct Context {
        u32 single = kNone;      ///< trie node of its record (without attributes) alone
        bool completes = false;  ///< its calls complete requests, or test them without polling
        u32 expected = kNone;    ///< symbol of its last call, if it may be expected again
    };

    std::size_t take_expected(const RecordBatch& batch, std::span<const RecordBatch::Head> heads,
                              CallBatch& out);
    void expect_again(u32 node);
    void record(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    void open(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    void close(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    bool completion(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    bool request_use(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    void plain(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    void verbatim(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    void post(u8 type, std::span<const u64> fields);
    void end_request(u32 node, const LateValues::Values& values, CallBatch& out);

    u32 element_of(const RecordBatch& batch, const RecordBatch::Head& head, bool raw);
    const Context& context_of(const RecordBatch& batch, const RecordBatch::Head& head);
    Context learn_context(const RecordBatch& batch, const RecordBatch::Head& head);

    void begin(const RecordBatch& batch, const RecordBatch::Head& head, bool raw, CallBatch& out);
    void begin_alone(const RecordBatch& batch, const RecordBatch::Head& head,
                     const Context& context);
    void make_room(u8 type, CallBatch& out);
    void end(u64 time, CallBatch& out);

    const DefinitionIndex& definitions_;
    const PollDetector* scout_;
    FieldCodec codec_;
    PendingCall call_;
    RequestList requests_;
    RawRecords raw_;
    u64 last_time_ = 0;

    bool open_ = false;  ///< the pending call begins with an Enter and may become one symbol
    u64 open_context_ = 0;
    u8 open_type_ = 0;
    AppendBuffer<u64> late_fields_;
    std::vector<std::vector<Context>> contexts_;         ///< by type, raw id
    Context far_context_;                                ///< of the last larger raw id
    std::vector<std::optional<ExpectedCall>> expected_;  ///< by symbol, filled lazily
};

}  // namespace tracefold
