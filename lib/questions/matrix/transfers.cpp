// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/matrix/transfers.hpp"

#include "base/error.hpp"
#include "base/types.hpp"
#include "file/record_counts.hpp"
#include "fold/column_values.hpp"
#include "fold/field_codec.hpp"
#include "fold/late_values.hpp"
#include "fold/request_list.hpp"
#include "model/event_table.hpp"

#include <algorithm>
#include <map>
#include <optional>

namespace tracefold {

namespace {

using Kind = Transfer::Kind;
using Use = ExecutionCounts::Use;
using Fields = std::array<u64, TransferRecipe::kMaxFields>;

/// Values of a record's fields in encoded form. Only a size may be a run.
struct Row {
    Fields fields{};
    u64 stride = 0;  ///< of the first byte field
    u64 count = 1;
    u64 times = 1;
};

/// Rows of one recipe, shared by locations with the same columns.
class RowTable {
  public:
    RowTable(const FoldedSource& source, const TransferRecipe& recipe)
        : source_(source), recipe_(recipe) {}

    /// `uses`: by field of the recipe with a slot.
    const std::vector<Row>& rows(const std::vector<Use>& uses) {
        std::vector<u64> key;
        for (const Use& use : uses) key.insert(key.end(), {use.column, use.value, use.size});
        const auto [found, fresh] = known_.try_emplace(std::move(key));
        if (fresh) found->second = make(uses);
        return found->second;
    }

  private:
    std::vector<Row> make(const std::vector<Use>& uses) {
        std::vector<ColumnCursor> columns;
        columns.reserve(uses.size());
        for (const Use& use : uses) columns.push_back(ExecutionCounts::cursor(source_, use));
        singles_.clear();
        std::vector<Row> rows;
        visit_rows(std::move(columns), uses.front().size,
                   [&](std::span<const ValueRun> runs, u64 times) {
                       add(runs, times, rows);
                       return true;
                   });
        for (const auto& [fields, times] : singles_) rows.push_back({fields, 0, 1, times});
        return rows;
    }

    /// Sizes in arithmetic progression stay a run; other values are counted separately.
    void add(std::span<const ValueRun> runs, u64 times, std::vector<Row>& rows) {
        const std::size_t size = size_run();
        bool only_size = true;
        bool constant = true;
        for (std::size_t i = 0; i < runs.size(); ++i) {
            constant = constant && runs[i].stride == 0;
            only_size = only_size && (runs[i].stride == 0 || i == size);
        }
        if (constant) {
            singles_[fields(runs, 0)] += times * runs.front().count;
        } else if (only_size) {
            rows.push_back({fields(runs, 0), runs[size].stride, runs[size].count, times});
        } else {
            for (u64 i = 0; i < runs.front().count; ++i) singles_[fields(runs, i)] += times;
        }
    }

    /// The run of the record's only size; none if it has two.
    [[nodiscard]] std::size_t size_run() const {
        const bool one = recipe_.kind != Kind::collective && recipe_.kind != Kind::atomic;
        if (!one) return TransferRecipe::kMaxFields;
        const RecordInfo& info = event_info(recipe_.type);
        std::size_t run = 0;
        for (u8 field = 0; field < recipe_.field_count; ++field) {
            if (recipe_.slots[field] == kNone) continue;
            if (info.fields[field].kind == FieldKind::bytes) return run;
            ++run;
        }
        return TransferRecipe::kMaxFields;
    }

    [[nodiscard]] Fields fields(std::span<const ValueRun> runs, u64 place) const {
        Fields fields{};
        std::size_t run = 0;
        for (u8 field = 0; field < recipe_.field_count; ++field) {
            if (recipe_.slots[field] == kNone) continue;
            fields[field] = runs[run].start + place * runs[run].stride;
            ++run;
        }
        return fields;
    }

    FoldedSource source_;
    const TransferRecipe& recipe_;
    std::map<std::vector<u64>, std::vector<Row>> known_;
    std::map<Fields, u64> singles_;
};

class LocationTransfers {
  public:
    LocationTransfers(TraceFile& file, u32 location, const TransferSink& sink)
        : definitions_(file.definitions()),
          location_(location),
          tables_(file.mapping_tables(location)),
          codec_(definitions_, tables_, definitions_.locations()[location]),
          sink_(sink) {}

    void pass(u32 symbol, const Element& element, const TransferRecipe& recipe, const Row& row) {
        const PeerFields& peers = peer_fields(recipe.type);
        Fields values = row.fields;
        // Late values begin with the record's second field; incomplete operations have none.
        if (recipe.late && values[1] == kNeverCompleted) return;
        if (!recipe.raw) {
            if (peers.exist() && recipe.peers != PeerEncoding::relative) {
                const RankView& view = codec_.views().of_scope(peers, values[peers.scope]);
                u64& peer = values[peers.peer];
                peer = relative_peer(peer, recipe.peers, view.rank, view.size);
            }
            fields_.clear();
            codec_.decode(recipe.type, element, std::span(values).first(recipe.field_count),
                          fields_);
            std::copy_n(fields_.begin(), std::min(fields_.size(), values.size()), values.begin());
        }
        Transfer transfer;
        transfer.kind = recipe.kind;
        transfer.symbol = symbol;
        transfer.location = location_;
        transfer.times = row.times;
        fill(recipe.type, values, {row.stride, row.count}, transfer);
        sink_(transfer);
    }

  private:
    struct Repeat {
        u64 stride;
        u64 count;
    };

    void fill(u8 type, const Fields& values, Repeat repeat, Transfer& transfer) {
        const RecordInfo& info = event_info(type);
        u64 peer = kNone;
        u64 comm = kNone;
        u64 root = kNone;
        u64 bytes[2] = {0, 0};
        int sizes = 0;
        for (std::size_t field = 0; field < info.field_count && field < values.size(); ++field) {
            const u64 value = values[field];
            switch (info.fields[field].kind) {
                case FieldKind::peer:
                    peer = value;
                    break;
                case FieldKind::root:
                    root = value;
                    break;
                case FieldKind::comm:
                    comm = value;
                    transfer.communicator = tables_.global(FieldKind::comm, value);
                    break;
                case FieldKind::rma_win:
                    transfer.communicator =
                        definitions_.window_communicator(tables_.global(FieldKind::rma_win, value));
                    break;
                case FieldKind::op:
                    transfer.operation = static_cast<u8>(value);
                    break;
                case FieldKind::bytes:
                    bytes[sizes++] = value;
                    break;
                default:
                    break;
            }
        }
        if (transfer.kind != Kind::collective && peer != kNone) {
            transfer.peer = peer_process(definitions_, transfer.communicator, location_, peer);
        }
        const bool receives = transfer.kind == Kind::receive || transfer.kind == Kind::get;
        const ValueRun none{0, 0, repeat.count};
        const ValueRun first{bytes[0], repeat.stride, repeat.count};
        transfer.sent = receives ? none : first;
        transfer.received = receives ? first : ValueRun{bytes[1], 0, repeat.count};
        if (transfer.kind == Kind::collective && comm != kNone) {
            transfer.per_peer =
                peer_sizes(transfer.operation, root, codec_.views().of_communicator(comm),
                           {bytes[0], bytes[1]});
        }
    }

    const DefinitionIndex& definitions_;
    u32 location_;
    MappingTables tables_;
    FieldCodec codec_;
    const TransferSink& sink_;
    AppendBuffer<u64> fields_;
};

class TransferVisitor {
  public:
    TransferVisitor(TraceFile& file, ExecutionCounts& counts)
        : file_(file), structure_(file.structure()), counts_(counts) {
        for (u32 symbol = 0; symbol < structure_.symbols.size(); ++symbol) {
            if (structure_.symbol_streams[symbol] != Stream::events) continue;
            const auto recipes = transfer_recipes(structure_, symbol, file.index().slots(symbol));
            if (!recipes.empty()) communicating_[symbol] = recipes;
        }
        for (auto& [symbol, recipes] : communicating_) {
            for (const TransferRecipe& recipe : recipes) {
                tables_[symbol].emplace_back(file.index().source(), recipe);
            }
        }
    }

    void visit(u32 location, const TransferSink& sink) {
        const u32 script = file_.index().script(Stream::events, location);
        if (script == kNone) return;
        LocationTransfers transfers(file_, location, sink);
        for (const u32 symbol : structure_.scripts[script].symbols) {
            const auto found = communicating_.find(symbol);
            if (found == communicating_.end()) continue;
            const std::vector<Element>& elements = structure_.symbols[symbol].elements;
            for (std::size_t i = 0; i < found->second.size(); ++i) {
                const TransferRecipe& recipe = found->second[i];
                const std::vector<Use> uses = uses_of(symbol, recipe, location);
                if (uses.empty() || uses.front().size == 0) continue;
                for (const Row& row : tables_[symbol][i].rows(uses)) {
                    transfers.pass(symbol, elements[recipe.element], recipe, row);
                }
            }
        }
    }

  private:
    std::vector<Use> uses_of(u32 symbol, const TransferRecipe& recipe, u32 location) {
        std::vector<Use> uses;
        for (const u32 slot : recipe.slots) {
            if (slot != kNone) uses.push_back(counts_.slot(symbol, slot, location));
        }
        return uses;
    }

    TraceFile& file_;
    const Structure& structure_;
    ExecutionCounts& counts_;
    std::map<u32, std::vector<TransferRecipe>> communicating_;
    std::map<u32, std::vector<RowTable>> tables_;
};

}  // namespace

void visit_transfers(TraceFile& file, ExecutionCounts& counts, const std::vector<bool>& selected,
                     const TransferSink& sink) {
    TransferVisitor visitor(file, counts);
    for (u32 location = 0; location < file.location_count(); ++location) {
        if (selected[location]) visitor.visit(location, sink);
    }
}

u64 Transfer::sizes_of(const ValueRun& sizes, u64 times) {
    if (sizes.count == 0) return 0;
    // A run that wraps around 0 or 2^64 is no progression of sizes.
    const bool falls = sizes.stride >> 63U != 0;
    const u64 distance = falls ? 0 - sizes.stride : sizes.stride;
    const u64 room = falls ? sizes.start : ~u64{0} - sizes.start;
    u128 sum = 0;
    if (distance == 0 || sizes.count - 1 <= room / distance) {
        sum = (static_cast<u128>(sizes.start) + sizes.last()) * sizes.count / 2;
    } else {
        for (u64 i = 0; i < sizes.count; ++i) sum += sizes.start + i * sizes.stride;
    }
    u64 product = saturated(sum);
    if (__builtin_mul_overflow(product, times, &product)) return kOverflow;
    return product;
}

namespace {

using Kind = Transfer::Kind;

bool matters(FieldKind kind) {
    switch (kind) {
        case FieldKind::peer:
        case FieldKind::comm:
        case FieldKind::rma_win:
        case FieldKind::bytes:
        case FieldKind::op:
        case FieldKind::root:
            return true;
        default:
            return false;
    }
}

/// Fields of an element, immediate or late. None if it is no transfer.
std::optional<TransferRecipe> recipe_of(const Element& element, bool late) {
    TransferRecipe recipe;
    recipe.type = element.type;
    recipe.raw = element.raw;
    recipe.late = late;
    if (late) recipe.type = static_cast<u8>(posting_kind(element.type)->completion);
    // Completions of known requests have no element of their own; the others are raw.
    if (recipe.type == kCompletions) return std::nullopt;
    const std::optional<Kind> kind = transfer_kind(recipe.type);
    if (!kind) return std::nullopt;
    recipe.kind = *kind;
    recipe.slots.fill(kNone);
    return recipe;
}

}  // namespace

std::optional<Kind> transfer_kind(u8 type) {
    switch (static_cast<EventType>(type)) {
        case EventType::MpiSend:
        case EventType::MpiIsend:
            return Kind::send;
        case EventType::MpiRecv:
        case EventType::MpiIrecv:
        case EventType::MpiMrecv:
        case EventType::MpiImrecv:
            return Kind::receive;
        case EventType::MpiCollectiveEnd:
        case EventType::NonBlockingCollectiveComplete:
            return Kind::collective;
        case EventType::RmaPut:
            return Kind::put;
        case EventType::RmaGet:
            return Kind::get;
        case EventType::RmaAtomic:
            return Kind::atomic;
        default:
            return std::nullopt;
    }
}

std::vector<TransferRecipe> transfer_recipes(const Structure& structure, u32 symbol,
                                             const std::vector<Slot>& slots) {
    const std::vector<Element>& elements = structure.symbols[symbol].elements;
    std::vector<TransferRecipe> recipes;
    std::optional<TransferRecipe> open;
    const auto close = [&] {
        if (open) recipes.push_back(*open);
        open.reset();
    };
    for (u32 number = 0; number < slots.size(); ++number) {
        const Slot& slot = slots[number];
        if (slot.field == Slot::kAttributeField) continue;
        if (!open || open->element != slot.element || open->late != slot.late) {
            close();
            open = recipe_of(elements[slot.element], slot.late);
            if (!open) continue;
            open->element = slot.element;
        }
        if (matters(slot.kind)) open->slots[open->field_count] = number;
        if (slot.kind == FieldKind::peer) open->peers = structure.slots[symbol][number].peers;
        ++open->field_count;
    }
    close();
    return recipes;
}

}  // namespace tracefold
