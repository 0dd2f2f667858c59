// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/matrix/transfers.hpp"

#include "base/error.hpp"
#include "base/types.hpp"
#include "file/id_classes.hpp"
#include "file/record_counts.hpp"
#include "fold/column_values.hpp"
#include "fold/field_codec.hpp"
#include "fold/late_values.hpp"
#include "fold/request_list.hpp"
#include "model/event_table.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>

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

/// Equal transfers of all locations of a class, as far as they do not depend on the location.
struct ClassTransfer {
    u32 symbol = 0;
    const TransferRecipe* recipe = nullptr;
    Row row;
    u64 communicator = 0;  ///< global id; for windows: their communicator
};

/// The views of one process on the communicators of its transfers.
class ProcessViews {
  public:
    explicit ProcessViews(const DefinitionIndex& definitions) : definitions_(definitions) {}

    void begin(u32 location) {
        location_ = location;
        rank_ = definitions_.world_rank(definitions_.locations()[location]);
        known_.clear();
    }
    const RankView& of(u64 communicator) {
        for (const auto& [id, view] : known_) {
            if (id == communicator) return view;
        }
        known_.emplace_back(communicator,
                            rank_ ? definitions_.view(communicator, *rank_) : RankView{});
        return known_.back().second;
    }
    [[nodiscard]] u32 location() const { return location_; }

  private:
    const DefinitionIndex& definitions_;
    u32 location_ = 0;
    std::optional<u32> rank_;
    std::vector<std::pair<u64, RankView>> known_;
};

/// The fields of a transfer's record that matter.
struct TransferFields {
    u64 peer = kNone;
    u64 root = kNone;
    std::array<u64, 2> bytes = {0, 0};
    u8 operation = 0;
};

TransferFields fields_of(const TransferRecipe& recipe, const Fields& values) {
    const RecordInfo& info = event_info(recipe.type);
    TransferFields fields;
    std::size_t sizes = 0;
    for (std::size_t field = 0; field < info.field_count && field < values.size(); ++field) {
        switch (info.fields[field].kind) {
            case FieldKind::peer:
                fields.peer = values[field];
                break;
            case FieldKind::root:
                fields.root = values[field];
                break;
            case FieldKind::op:
                fields.operation = static_cast<u8>(values[field]);
                break;
            case FieldKind::bytes:
                if (sizes < fields.bytes.size()) fields.bytes[sizes++] = values[field];
                break;
            default:
                break;
        }
    }
    return fields;
}

/// The local id of a row's communicator or window; none if a record has neither.
std::optional<std::pair<FieldKind, u64>> scope_of(const TransferRecipe& recipe, const Row& row) {
    const PeerFields& fields = peer_fields(recipe.type);
    if (fields.scope == PeerFields::kNoField) return std::nullopt;
    return std::pair(fields.window ? FieldKind::rma_win : FieldKind::comm,
                     row.fields[fields.scope]);
}

/// Late values begin with the record's second field; incomplete operations have none.
bool is_complete(const TransferRecipe& recipe, const Row& row) {
    return !recipe.late || row.fields[1] != kNeverCompleted;
}

void pass(const DefinitionIndex& definitions, const ClassTransfer& it, ProcessViews& views,
          const TransferSink& sink) {
    const TransferRecipe& recipe = *it.recipe;
    TransferFields fields = fields_of(recipe, it.row.fields);
    const bool is_collective = recipe.kind == Kind::collective;
    if (!recipe.raw && (peer_fields(recipe.type).exist() || is_collective)) {
        const RankView& view = views.of(it.communicator);
        if (is_collective) {
            const CollectiveSizes sizes = unfold_sizes(fields.operation, fields.root, view,
                                                       {fields.bytes[0], fields.bytes[1]});
            fields.bytes = {sizes.sent, sizes.received};
        } else {
            fields.peer = decode_peer(
                relative_peer(fields.peer, recipe.peers, view.rank, view.size), view.rank);
        }
    }
    Transfer transfer;
    transfer.kind = recipe.kind;
    transfer.symbol = it.symbol;
    transfer.location = views.location();
    transfer.communicator = it.communicator;
    transfer.operation = fields.operation;
    transfer.times = it.row.times;
    if (!is_collective && fields.peer != kNone) {
        transfer.peer = peer_process(definitions, it.communicator, views.location(), fields.peer);
    }
    const bool receives = transfer.kind == Kind::receive || transfer.kind == Kind::get;
    const ValueRun none{0, 0, it.row.count};
    const ValueRun first{fields.bytes[0], it.row.stride, it.row.count};
    transfer.sent = receives ? none : first;
    transfer.received = receives ? first : ValueRun{fields.bytes[1], 0, it.row.count};
    if (is_collective) {
        transfer.per_peer = peer_sizes(fields.operation, fields.root, views.of(it.communicator),
                                       {fields.bytes[0], fields.bytes[1]});
    }
    sink(transfer);
}

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

    void visit(const std::vector<bool>& selected, const TransferSink& sink) {
        LocationClasses classes = classes_by_columns();
        split_by_scopes(classes, selected);
        std::vector<std::optional<std::vector<ClassTransfer>>> transfers(classes.count());
        ProcessViews views(file_.definitions());
        for (u32 location = 0; location < file_.location_count(); ++location) {
            const u32 number = classes.of(location);
            if (!selected[location] || number == kNone) continue;
            if (!transfers[number]) transfers[number] = transfers_of(location);
            views.begin(location);
            for (const ClassTransfer& it : *transfers[number]) {
                pass(file_.definitions(), it, views, sink);
            }
        }
    }

  private:
    /// Locations with the same rows of transfers.
    LocationClasses classes_by_columns() {
        LocationClasses classes(counts_.classes());
        for (const auto& [symbol, recipes] : communicating_) {
            for (const TransferRecipe& recipe : recipes) {
                for (const u32 slot : recipe.slots) {
                    if (slot != kNone) file_.index().split_by_slot(classes, symbol, slot);
                }
            }
        }
        classes.renumber();
        return classes;
    }

    /// Splits classes whose locations give a local id of a communicator or window another meaning.
    void split_by_scopes(LocationClasses& classes, const std::vector<bool>& selected) {
        std::vector<bool> seen(classes.count(), false);
        std::set<std::pair<FieldKind, u64>> scopes;
        for (u32 location = 0; location < file_.location_count(); ++location) {
            const u32 number = classes.of(location);
            if (!selected[location] || number == kNone || seen[number]) continue;
            seen[number] = true;
            each_row(location, [&](u32 /*symbol*/, const TransferRecipe& recipe, const Row& row) {
                if (const auto scope = scope_of(recipe, row)) scopes.insert(*scope);
            });
        }
        ParticipantList all;
        all.append({0, 1, file_.location_count()});
        for (const auto& [kind, raw] : scopes) {
            const std::vector<u32> meanings = local_id_classes(file_, kind, raw);
            auto next = meanings.begin();
            classes.split(all, [&next] { return *next++; });
        }
    }

    /// Calls visit(symbol, recipe, row) for the rows of a location, in the order of its symbols.
    template <class Visit>
    void each_row(u32 location, const Visit& visit) {
        const u32 script = file_.index().script(Stream::events, location);
        for (const u32 symbol : structure_.scripts[script].symbols) {
            const auto found = communicating_.find(symbol);
            if (found == communicating_.end()) continue;
            for (std::size_t i = 0; i < found->second.size(); ++i) {
                const TransferRecipe& recipe = found->second[i];
                const std::vector<Use> uses = uses_of(symbol, recipe, location);
                if (uses.empty() || uses.front().size == 0) continue;
                for (const Row& row : tables_[symbol][i].rows(uses)) {
                    if (is_complete(recipe, row)) visit(symbol, recipe, row);
                }
            }
        }
    }

    std::vector<ClassTransfer> transfers_of(u32 location) {
        std::vector<ClassTransfer> transfers;
        const MappingTables ids = file_.mapping_tables(location);
        each_row(location, [&](u32 symbol, const TransferRecipe& recipe, const Row& row) {
            ClassTransfer& transfer = transfers.emplace_back(symbol, &recipe, row, 0);
            const auto scope = scope_of(recipe, row);
            if (!scope) return;
            const u64 id = ids.global(scope->first, scope->second);
            transfer.communicator =
                scope->first == FieldKind::comm ? id : file_.definitions().window_communicator(id);
        });
        return transfers;
    }

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
    TransferVisitor(file, counts).visit(selected, sink);
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
