// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/location_cursor.hpp"
#include "io/bytes.hpp"
#include "model/symbol.hpp"
#include "stats/symbol_signatures.hpp"

namespace tracefold {

namespace {

/// What is put down of an iteration before it becomes a hash.
constexpr std::size_t kMostBytes = std::size_t{1} << 16U;

class IterationSigner {
  public:
    IterationSigner(TraceFile& file, SymbolSignatures& symbols, u32 location,
                    const LocationSteps* iterations, u64 per_column)
        : file_(file),
          symbols_(symbols),
          cursor_(file.index(), Stream::events, location),
          steps_(iterations),
          per_column_(per_column) {}

    std::vector<ContentHash> run() {
        u32 symbol = 0;
        AppendBuffer<u64> values;
        while (cursor_.next(symbol, values)) {
            steps_.next();
            const std::optional<u64> iteration = steps_.step();
            if (!iteration) continue;
            if (iteration_ && *iteration / per_column_ != *iteration_ / per_column_) end_column();
            iteration_ = iteration;
            add_call(symbol, values);
        }
        if (iteration_) end_column();
        return std::move(columns_);
    }

  private:
    void add_call(u32 symbol, std::span<const u64> values) {
        if (symbols_.counts()) {
            symbols_.add(symbol, 1, counts_);
            if (symbols_.kind() == SignatureKind::events) add_completions(symbol, values);
            return;
        }
        sequence_.put_varint(symbol);
        if (symbols_.kind() == SignatureKind::arguments) {
            for (const u64 value : values) sequence_.put_varint(value);
        }
        if (sequence_.size() > kMostBytes) shorten();
    }

    /// A column of counts stands in the values where its slot does.
    void add_completions(u32 symbol, std::span<const u64> values) {
        const std::vector<Element>& elements = file_.structure().symbols[symbol].elements;
        std::size_t place = 0;
        SlotValues slot_values;
        for (const Slot& slot : file_.index().slots(symbol)) {
            const bool is_count = slot.shape == SlotShape::count;
            if (is_count && elements[slot.element].type == kCompletions && values[place] != 0) {
                counts_[kCompletions] += values[place];
            }
            place += slot_values.count(slot.shape, values.data() + place);
        }
    }

    void shorten() {
        const ContentHash hash = content_hash(sequence_.take());
        sequence_.put_u64le(hash.low);
        sequence_.put_u64le(hash.high);
    }

    void end_column() {
        columns_.push_back(symbols_.counts() ? hash_of(counts_) : content_hash(sequence_.bytes()));
        counts_.clear();
        (void)sequence_.take();
    }

    TraceFile& file_;
    SymbolSignatures& symbols_;
    LocationCursor cursor_;
    StepCounter steps_;
    u64 per_column_;
    std::optional<u64> iteration_;
    SignatureCounts counts_;
    ByteWriter sequence_;
    std::vector<ContentHash> columns_;
};

}  // namespace

std::vector<ContentHash> iteration_signatures(TraceFile& file, SymbolSignatures& symbols,
                                              u32 location, const LocationSteps* iterations,
                                              u64 per_column) {
    if (iterations == nullptr) return {};
    return IterationSigner(file, symbols, location, iterations, per_column).run();
}

}  // namespace tracefold
