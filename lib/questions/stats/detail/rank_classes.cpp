// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/detail/rank_classes.hpp"

#include "base/bytes.hpp"
#include "file/symbol_codec.hpp"
#include "fold/structure_index.hpp"
#include "model/symbol.hpp"
#include "questions/stats/detail/sampler.hpp"
#include "questions/stats/row_tree.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <memory>

namespace tracefold {

namespace {

void put_use(const ExecutionCounts::Use& use, ByteWriter& out) {
    out.put_varint(use.column);
    out.put_varint(use.value);
}

/// Columns of one file are deduplicated: compare their numbers.
ContentHash argument_signature(TraceFile& file, ExecutionCounts& counts, u32 script, u32 location) {
    const Structure& structure = file.structure();
    ByteWriter out;
    out.put_varint(script);
    const Pattern& pattern = structure.patterns[structure.scripts[script].pattern];
    for (u32 node = 0; node < pattern.node_count(); ++node) {
        put_use(counts.count(location, node), out);
    }
    for (const u32 symbol : structure.scripts[script].symbols) {
        for (u32 slot = 0; slot < file.index().slots(symbol).size(); ++slot) {
            put_use(counts.slot(symbol, slot, location), out);
        }
    }
    return content_hash(out.bytes());
}

bool counts_completions(TraceFile& file, u32 symbol, const Slot& slot) {
    const std::vector<Element>& elements = file.structure().symbols[symbol].elements;
    return elements[slot.element].type == kCompletions && slot.shape == SlotShape::count;
}

u64 completions(TraceFile& file, ExecutionCounts& counts, u32 symbol, u32 location) {
    const std::vector<Slot>& slots = file.index().slots(symbol);
    u64 sum = 0;
    for (u32 slot = 0; slot < slots.size(); ++slot) {
        if (counts_completions(file, symbol, slots[slot])) {
            sum += counts.sum(counts.slot(symbol, slot, location));
        }
    }
    return sum;
}

}  // namespace

std::string_view signature_name(SignatureKind kind) {
    constexpr std::array<std::string_view, 5> kNames = {"events", "calls", "script", "arguments",
                                                        "regions"};
    return kNames[static_cast<std::size_t>(kind)];
}

void SymbolSignatures::add(u32 symbol, u64 times, SignatureCounts& counts) {
    for (const u64 key : keys(symbol)) counts[key] += times;
}

const std::vector<u64>& SymbolSignatures::keys(u32 symbol) {
    const auto [known, fresh] = known_.try_emplace(symbol);
    if (fresh) known->second = find_keys(symbol);
    return known->second;
}

std::vector<u64> SymbolSignatures::find_keys(u32 symbol) {
    std::vector<u64> found;
    for (const Element& element : file_.structure().symbols[symbol].elements) {
        if (request_.kind == SignatureKind::events) {
            if (element.type != kCompletions) found.push_back(element.type);
            continue;
        }
        if (!is_enter(element.type)) continue;
        const u64 region = names_.region_id(symbol, element);
        const bool mpi = file_.definitions().is_mpi_region(region);
        const std::string name = names_.region(symbol, element);
        const bool wanted = request_.kind == SignatureKind::calls
                                ? mpi
                                : !request_.matches || request_.matches(name);
        // Hashes names: a function may have several definitions.
        if (wanted) found.push_back(content_hash(name).low);
    }
    return found;
}

ContentHash hash_of(const SignatureCounts& counts) {
    ByteWriter out;
    for (const auto& [key, count] : counts) {
        out.put_varint(key);
        out.put_varint(count);
    }
    return content_hash(out.bytes());
}

ContentHash location_signature(TraceFile& file, ExecutionCounts& counts, SymbolSignatures& symbols,
                               u32 location) {
    const u32 script = file.index().script(Stream::events, location);
    if (script == kNone) return {};
    if (symbols.kind() == SignatureKind::arguments) {
        return argument_signature(file, counts, script, location);
    }
    if (symbols.kind() == SignatureKind::script) return hash_of({{script, 1}});
    SignatureCounts found;
    for (const u32 symbol : file.structure().scripts[script].symbols) {
        symbols.add(symbol, counts.calls(symbol, location), found);
        if (symbols.kind() != SignatureKind::events) continue;
        const u64 ended = completions(file, counts, symbol, location);
        if (ended != 0) found[kCompletions] += ended;
    }
    return hash_of(found);
}

std::string sequence_key(const std::vector<ContentHash>& sequence) {
    ByteWriter out;
    for (std::size_t begin = 0; begin < sequence.size();) {
        std::size_t end = begin + 1;
        while (end < sequence.size() && sequence[end] == sequence[begin]) ++end;
        out.put_varint(end - begin);
        out.put_u64le(sequence[begin].low);
        out.put_u64le(sequence[begin].high);
        begin = end;
    }
    return out.take();
}

std::vector<ContentHash> sequence_of(std::string_view key) {
    ByteReader in(key, "a sequence of classes");
    std::vector<ContentHash> sequence;
    while (in.remaining() > 0) {
        const u64 count = in.get_varint();
        const u64 low = in.get_u64le();
        sequence.insert(sequence.end(), count, {low, in.get_u64le()});
    }
    return sequence;
}

namespace {

using Column = RankClasses::Column;

/// Sets of locations by a serialised key that they share.
using ClassTable = std::map<std::string, ParticipantList>;

/// Merges the sets of all processes on process 0. Collective.
void reduce(Communicator& comm, ClassTable& table, int fanout) {
    const auto serialise = [](const ClassTable& mine) {
        ByteWriter out;
        out.put_varint(mine.size());
        for (const auto& [key, locations] : mine) {
            out.put_text(key);
            put_participants(out, locations);
        }
        return out.take();
    };
    const auto merge_bytes = [](ClassTable& mine, std::string_view bytes) {
        ByteReader in(bytes, "classes of another process");
        for (u64 left = in.get_count(2); left > 0; --left) {
            const std::string key(in.get_text());
            mine[key].unite(get_participants(in));
        }
        in.expect_end();
    };
    reduce_tree(comm, table, serialise, merge_bytes, fanout);
}

/// Locations with equal signatures in all columns.
struct Sequence {
    std::vector<ContentHash> signatures;
    u64 locations = 0;
};

/// Compares the classes of adjacent columns.
class ColumnCounter {
  public:
    explicit ColumnCounter(std::vector<Sequence> sequences)
        : sequences_(std::move(sequences)), companions_(sequences_.size()) {}

    std::vector<Column> run() {
        std::size_t columns = 0;
        for (const Sequence& sequence : sequences_) {
            columns = std::max(columns, sequence.signatures.size());
        }
        std::vector<Column> result;
        for (std::size_t column = 0; column < columns; ++column) result.push_back(count(column));
        return result;
    }

  private:
    Column count(std::size_t column) {
        std::map<ContentHash, std::vector<u64>> members;  ///< sequences
        for (std::size_t i = 0; i < sequences_.size(); ++i) {
            if (column < sequences_[i].signatures.size()) {
                members[sequences_[i].signatures[column]].push_back(i);
            }
        }
        Column result;
        result.classes = members.size();
        for (const auto& [signature, sequences] : members) add(column, sequences, result);
        return result;
    }

    void add(std::size_t column, const std::vector<u64>& sequences, Column& result) {
        ByteWriter names;
        u64 size = 0;
        for (const u64 i : sequences) {
            names.put_varint(i);
            size += sequences_[i].locations;
        }
        const ContentHash company = content_hash(names.bytes());
        result.locations += size;
        result.largest = std::max(result.largest, size);
        for (const u64 i : sequences) {
            const Sequence& sequence = sequences_[i];
            const bool first = column == 0;
            if (!first && sequence.signatures[column] != sequence.signatures[column - 1]) {
                result.changed += sequence.locations;
            }
            if (!first && companions_[i] != company) result.moved += sequence.locations;
            companions_[i] = company;
        }
    }

    std::vector<Sequence> sequences_;
    std::vector<ContentHash> companions_;  ///< by sequence: class in the preceding column
};

class ClassCollector {
  public:
    ClassCollector(Communicator& comm, TraceFile& file, const ClassRequest& request, int fanout)
        : comm_(comm),
          file_(file),
          request_(request),
          fanout_(fanout),
          source_(file),
          symbols_(file, source_.calls(), request_.signature),
          steps_(file),
          iterations_(file, source_, request.steps == nullptr ? steps_ : *request.steps,
                      request.loop),
          locations_(selected_block(file, request.selected, comm.rank(), comm.size())) {}

    RankClasses run() {
        group();
        if (request_.columns != 0) look_at_iterations();
        return std::move(result_);
    }

  private:
    void group() {
        ClassTable table;
        agree(comm_, [&] {
            const LocationClasses alike = alike_classes();
            std::vector<ParticipantList*> members(alike.count(), nullptr);
            for (const u32 location : locations_) {
                const u32 number = alike.of(location);
                ParticipantList* known = number == kNone ? nullptr : members[number];
                if (known == nullptr) {
                    const ContentHash signature =
                        location_signature(file_, source_.counts(), symbols_, location);
                    known = &table[sequence_key({signature})];
                    if (number != kNone) members[number] = known;
                }
                known->add(location);
            }
        });
        reduce(comm_, table, fanout_);
        ByteWriter out;
        if (comm_.rank() == 0) write_classes(table, out);
        const std::string bytes = comm_.broadcast(out.take(), 0);
        ByteReader in(bytes, "classes of all processes");
        for (u64 left = in.get_count(1); left > 0; --left) {
            result_.classes.push_back(get_participants(in));
            result_.locations += result_.classes.back().size();
        }
    }

    /// Locations with the same columns of all that signatures look at.
    LocationClasses alike_classes() {
        LocationClasses classes(source_.counts().classes());
        if (request_.signature.kind != SignatureKind::events &&
            request_.signature.kind != SignatureKind::arguments) {
            return classes;
        }
        const Structure& structure = file_.structure();
        for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
            if (structure.symbol_streams[symbol] != Stream::events) continue;
            for (u32 slot = 0; slot < structure.slots[symbol].size(); ++slot) {
                if (matters(symbol, slot)) file_.index().split_by_slot(classes, symbol, slot);
            }
        }
        return classes;
    }
    [[nodiscard]] bool matters(u32 symbol, u32 slot) {
        return request_.signature.kind == SignatureKind::arguments ||
               counts_completions(file_, symbol, file_.index().slots(symbol)[slot]);
    }

    static void write_classes(const ClassTable& table, ByteWriter& out) {
        std::vector<const ParticipantList*> classes;
        for (const auto& [key, locations] : table) classes.push_back(&locations);
        std::sort(classes.begin(), classes.end(),
                  [](const auto* a, const auto* b) { return a->first() < b->first(); });
        out.put_varint(classes.size());
        for (const ParticipantList* locations : classes) put_participants(out, *locations);
    }

    void look_at_iterations() {
        result_.iterations = most_iterations(comm_, iterations_, locations_);
        result_.per_column =
            std::max<u64>(1, (result_.iterations + request_.columns - 1) / request_.columns);
        ClassTable table;
        agree(comm_, [&] {
            for (const u32 location : locations_) {
                const std::vector<ContentHash> sequence = iteration_signatures(
                    file_, symbols_, location, iterations_.of(location), result_.per_column);
                if (!sequence.empty()) table[sequence_key(sequence)].add(location);
            }
        });
        reduce(comm_, table, fanout_);
        if (comm_.rank() == 0) count_columns(table);
    }

    void count_columns(const ClassTable& table) {
        std::vector<Sequence> sequences;
        for (const auto& [key, locations] : table) {
            sequences.push_back({sequence_of(key), locations.size()});
        }
        result_.columns = ColumnCounter(std::move(sequences)).run();
    }

    Communicator& comm_;
    TraceFile& file_;
    ClassRequest request_;
    int fanout_;
    ListingSource source_;
    SymbolSignatures symbols_;
    FoundSteps steps_;
    Iterations iterations_;
    std::vector<u32> locations_;
    RankClasses result_;
};

}  // namespace

RankClasses collect_classes(Communicator& comm, TraceFile& file, const ClassRequest& request,
                            int fanout) {
    return ClassCollector(comm, file, request, fanout).run();
}

void keep_apart(const RankClasses& classes, u32 location_count, RowRequest& rows) {
    const auto class_of = std::make_shared<std::vector<u32>>(location_count, kNone);
    for (u32 number = 0; number < classes.classes.size(); ++number) {
        for (const u32 location : classes.classes[number].members()) {
            class_of->at(location) = number;
        }
    }
    rows.group = [class_of](RowTree& tree, u32 location) {
        return tree.child(RowTree::kRoot, RankClasses::label(class_of->at(location)), false);
    };
}

namespace {

/// Limit of buffered bytes of an iteration: a longer buffer is replaced by its hash.
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

    /// The values contain a count column at the position of its slot.
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
