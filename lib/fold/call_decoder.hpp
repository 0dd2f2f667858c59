// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "fold/field_codec.hpp"
#include "fold/late_values.hpp"
#include "fold/request_list.hpp"
#include "model/record_batch.hpp"
#include "model/structure.hpp"

#include <array>
#include <optional>
#include <span>
#include <vector>

namespace tracefold {

/// Converts calls back to raw event records: the exact inverse of CallEncoder. Throws
/// Error(corrupt) for values that no encoder produces. Cost: O(1) per record plus the distance of
/// completions.
class CallDecoder {
  public:
    /// The completion data of a record that posts a request.
    struct Posted {
        u32 record = 0;         ///< index into the batch
        u8 completion = 0;      ///< EventType of the fields, which exclude the request id
        bool completes = true;  ///< false: the request never completes, there are no fields
        std::array<u64, LateValues::kMaxValues> fields{};  ///< as recorded: local ids
    };

    /// All arguments must outlive the decoder. `has_restarts` is that of the encoder; false if the
    /// encoder did not expect restarts.
    CallDecoder(const DefinitionIndex& definitions, const MappingTables& tables,
                const LocationDefinition& location, const Structure& structure,
                bool has_restarts = false);

    /// Appends the records of one call, with time 0. `values` are those of its slots in order;
    /// `groups` and `posted`, if given, receive the timing group of each record, and the completion
    /// data of posted receives and collectives.
    void decode(u32 symbol, std::span<const u64> values, RecordBatch& out, std::vector<u32>* groups,
                std::vector<Posted>* posted = nullptr);

    /// The timing group of a symbol's first element; the other elements follow. Precondition: the
    /// symbol was decoded before.
    [[nodiscard]] u32 first_group(u32 symbol) const { return entries_[symbol].first_group; }

    /// Starts to track effects of calls beyond their values.
    void watch();
    /// The increment of the request ids if the calls since watch() are repeated with the same
    /// values; nothing if a repetition would change more than these ids.
    [[nodiscard]] std::optional<u64> request_step() const;
    /// Skips `times` repetitions of the calls since watch(). Precondition: request_step().
    void go_on(u64 times);

    /// By timing group.
    [[nodiscard]] const std::vector<RecordPlace>& places() const { return places_; }

  private:
    /// The number of values of an element.
    struct Shape {
        u32 immediate = 0;
        u32 late = 0;
        PeerEncoding peers = PeerEncoding::relative;
        PeerEncoding late_peers = PeerEncoding::relative;
        const PostingKind* posts = nullptr;
        bool is_fixed = false;  ///< one field with the value `fixed`, no attributes
        u64 fixed = 0;
    };
    struct Entry {
        bool known = false;
        std::vector<Shape> shapes;
        u32 first_group = 0;
    };

    const Entry& entry(u32 symbol) {
        if (!entries_[symbol].known) work_out(symbol);
        return entries_[symbol];
    }
    void work_out(u32 symbol);
    void completions(std::span<const u64> distances, RecordBatch& out);
    void record(const Element& element, const Shape& shape, std::span<const u64> values,
                RecordBatch& out);
    u64 use_request(u8 type, u64 distance);
    void post(const PostingKind& kind, u64 request, const Shape& shape, std::span<const u64> late,
              u32 record);
    void tell(const PostingKind& kind, const LateValues::Values& late, u32 record);
    void make_relative(const PeerFields& fields, PeerEncoding encoding, std::span<u64> values);
    void end_request(u32 node);
    [[nodiscard]] u32 node_at(u64 distance) const;

    FieldCodec codec_;
    const Structure& structure_;
    RequestList requests_;
    std::vector<LateValues::Values> late_;
    std::vector<u32> free_late_;
    std::vector<Entry> entries_;
    std::vector<RecordPlace> places_;
    AppendBuffer<u64> fields_;
    std::vector<u64> recoded_;
    std::vector<Posted>* posted_ = nullptr;  ///< of the current call
    CountedIds watched_;
    bool seen_raw_ = false;  ///< since watch(): a record whose ids are not counted on
};

}  // namespace tracefold
