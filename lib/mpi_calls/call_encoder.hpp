// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/call_batch.hpp"
#include "model/record_batch.hpp"
#include "mpi_calls/field_codec.hpp"
#include "mpi_calls/late_values.hpp"
#include "mpi_calls/peer_tracker.hpp"
#include "mpi_calls/request_list.hpp"
#include "mpi_calls/symbol_table.hpp"

#include <vector>

namespace tracefold {

/// How many records could not be expressed by the call model, and why; they are kept verbatim.
struct RawRecords {
    u64 unknown_request = 0;  ///< a completion whose request was never created, or is too far away
    u64 inexpressible = 0;    ///< sizes of 2^63 bytes and more, attributes on a completion

    [[nodiscard]] u64 total() const { return unknown_request + inexpressible; }
};

/// Turns the raw event records of one location into call symbols and column values. A region that
/// holds only plain records (any MPI call, a leaf function) becomes one symbol; what is nested or
/// unbalanced becomes one symbol per record. The data of receives and non-blocking collectives move
/// to the call that posted them. CallDecoder is the exact inverse. Cost: O(1) per record plus the
/// distance of completions; memory: outstanding requests and distinct symbols.
class CallEncoder {
  public:
    /// The definitions and tables must outlive the encoder. Without `timing` no deltas are given.
    CallEncoder(const DefinitionIndex& definitions, const MappingTables& tables,
                const LocationDefinition& location, bool timing);

    /// Appends the calls completed by these records.
    void encode(const RecordBatch& records, CallBatch& out);
    /// Appends what is still open. Call once, after the last record.
    void finish(CallBatch& out);

    [[nodiscard]] const std::vector<Symbol>& symbols() const { return table_.symbols(); }
    /// By column: how the location sees the peers in it.
    [[nodiscard]] const std::vector<PeerView>& peer_views() const { return peers_.views(); }
    [[nodiscard]] const RawRecords& raw_records() const { return raw_; }

  private:
    /// A record (or run of completions) of the call that is being collected.
    struct Part {
        u32 element = 0;
        u32 first_value = 0;
        u32 late = kNone;
    };
    struct PendingDelta {
        u32 part;
        u64 ticks;
    };

    void record(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    void open(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    void close(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    bool completion(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    bool request_use(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    void plain(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    void verbatim(const RecordBatch& batch, const RecordBatch::Head& head, CallBatch& out);
    void post(u8 type, u64 request);
    void end_request(u32 node, const LateValues::Values& values, CallBatch& out);

    u32 element_of(const RecordBatch& batch, const RecordBatch::Head& head, bool raw);
    u32 context_element(const RecordBatch& batch, const RecordBatch::Head& head);
    [[nodiscard]] bool completes_requests(u8 type, u64 raw_context) const;

    void begin_part(u32 element, CallBatch& out);
    void end_part(CallBatch& out);
    void note_peer(const Part& part, u32 first_column);
    void note_late_peers(std::size_t first_value, const CallBatch& out);
    void emit(u32 symbol, std::size_t begin, std::size_t end, std::size_t& delta, CallBatch& out);
    void emit_separately(CallBatch& out);
    void clear_pending();

    const DefinitionIndex& definitions_;
    FieldCodec codec_;
    PeerTracker peers_;
    SymbolTable table_;
    RequestList requests_;
    LateValues late_;
    RawRecords raw_;
    bool timing_;
    u64 last_time_ = 0;

    bool open_ = false;  ///< the parts begin with an Enter and may become one symbol
    u64 open_context_ = 0;
    u8 open_type_ = 0;
    std::vector<Part> parts_;
    std::vector<u64> values_;  ///< of the parts, in order
    std::vector<PendingDelta> deltas_;
    std::vector<u64> scratch_;

    u32 completions_element_;
    std::vector<u32> plain_elements_;                 ///< by type
    std::vector<std::vector<u32>> context_elements_;  ///< by type, raw id
    std::vector<std::vector<bool>> completing_;       ///< by type, raw id
};

/// The late values of a request that never completes: no communicator has this id.
inline constexpr u64 kNeverCompleted = u64{1} << 32U;

}  // namespace tracefold
