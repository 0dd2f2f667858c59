// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "pipeline/event_source.hpp"
#include "pipeline/trace_file.hpp"

#include <vector>

namespace tracefold {

/// The events of one location of a file, call by call: what was recorded as one symbol comes as
/// one. The data of receives and non-blocking collectives come with the call that posted them.
/// Memory: one call, what EventSource holds, and the location's ticks. Throws Error(corrupt).
class CallStream {
  public:
    /// What a record that posts a request will have received when the request completes.
    struct Posted {
        std::size_t record = 0;   ///< index into records()
        u8 completion = 0;        ///< EventType whose fields follow, without the request id
        bool completes = true;    ///< false: never; then there are no fields
        std::vector<u64> fields;  ///< as recorded: local ids
    };

    /// The file must outlive the stream.
    CallStream(TraceFile& file, u32 location);

    /// Reads the next call; false at the end.
    bool next();

    [[nodiscard]] const Symbol& symbol() const { return file_.structure().symbols[symbol_]; }
    [[nodiscard]] u32 symbol_id() const { return symbol_; }
    /// The records of the call as they were recorded, with times.
    [[nodiscard]] const RecordBatch& records() const { return records_; }
    /// The element of the symbol that a record belongs to.
    [[nodiscard]] const Element& element_of(std::size_t record) const {
        return symbol().elements[elements_[record]];
    }
    [[nodiscard]] u16 element_number(std::size_t record) const { return elements_[record]; }
    /// By rising record.
    [[nodiscard]] const std::vector<Posted>& posted() const { return posted_; }

    [[nodiscard]] u32 location() const { return location_; }
    [[nodiscard]] const MappingTables& tables() const { return tables_; }

  private:
    void read_elements();
    void add_posted(std::size_t record, u8 type, u32 first_slot, std::size_t first_value);
    [[noreturn]] void wrong_count() const;

    TraceFile& file_;
    u32 location_;
    MappingTables tables_;
    LocationCursor cursor_;
    CallDecoder decoder_;
    FieldCodec late_codec_;  ///< of late values, which have no state
    TickSource ticks_;
    u64 left_;  ///< records that should still come
    u32 symbol_ = 0;
    RecordBatch records_;
    std::vector<Posted> posted_;
    std::vector<u16> elements_;  ///< by record
    std::vector<u64> values_;
    std::vector<u32> groups_;
};

}  // namespace tracefold
