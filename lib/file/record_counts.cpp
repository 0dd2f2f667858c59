// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/record_counts.hpp"

#include "base/error.hpp"
#include "fold/call_encoder.hpp"
#include "fold/request_list.hpp"
#include "model/event_table.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Completions do not state the kind of their requests: requests of kinds with completion values
/// were completed by a record of their kind; the remaining ones are sends.
class RecordCounter {
  public:
    RecordCounter(const Structure& structure, ExecutionCounts& counts)
        : structure_(structure), counts_(counts), records_(kEventTypes, 0) {}

    std::vector<u64> run() {
        for (u32 symbol = 0; symbol < structure_.symbols.size(); ++symbol) {
            if (structure_.symbol_streams[symbol] == Stream::events) count_symbol(symbol);
        }
        if (revealed_ > completions_) {
            throw Error(ErrorKind::corrupt,
                        "more requests are completed than there are completions");
        }
        records_[static_cast<u8>(EventType::MpiIsendComplete)] += completions_ - revealed_;
        return std::move(records_);
    }

  private:
    void count_symbol(u32 symbol) {
        const std::vector<Element>& elements = structure_.symbols[symbol].elements;
        for (const Element& element : elements) {
            if (element.type != kCompletions) records_[element.type] += counts_.calls(symbol);
        }
        const std::vector<Slot> slots = slots_of(Stream::events, structure_.symbols[symbol]);
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            const u8 type = elements[slots[slot].element].type;
            if (type == kCompletions && slots[slot].shape == SlotShape::count) {
                completions_ += sum(symbol, slot);
            } else if (slots[slot].late && slots[slot].kind == FieldKind::comm) {
                const u64 completed = counts_.calls(symbol) - never_completed(symbol, slot);
                records_[static_cast<u8>(posting_kind(type)->completion)] += completed;
                revealed_ += completed;
            }
        }
    }

    u64 sum(u32 symbol, u32 slot) {
        u64 total = 0;
        counts_.each_use(symbol, slot, [&](const ExecutionCounts::Use& use, u64 locations) {
            total += locations * counts_.sum(use);
        });
        return total;
    }

    u64 never_completed(u32 symbol, u32 slot) {
        u64 total = 0;
        counts_.each_use(symbol, slot, [&](const ExecutionCounts::Use& use, u64 locations) {
            counts_.visit(use, [&](const ValueRun& run) {
                total += locations * run.occurrences(kNeverCompleted);
            });
        });
        return total;
    }

    const Structure& structure_;
    ExecutionCounts& counts_;
    std::vector<u64> records_;
    u64 completions_ = 0;
    u64 revealed_ = 0;
};

bool has_any(const Symbol& symbol, std::initializer_list<EventType> types) {
    return std::ranges::any_of(symbol.elements, [types](const Element& element) {
        return std::ranges::find(types, static_cast<EventType>(element.type)) != types.end();
    });
}

}  // namespace

std::vector<u64> record_counts(const Structure& structure, ExecutionCounts& counts) {
    return RecordCounter(structure, counts).run();
}

bool records_any(const Structure& structure, std::initializer_list<EventType> types) {
    return std::ranges::any_of(structure.symbols,
                               [types](const Symbol& symbol) { return has_any(symbol, types); });
}

bool records_any(TraceFile& file, u32 location, std::initializer_list<EventType> types) {
    const Structure& structure = file.structure();
    const u32 script = file.index().script(Stream::events, location);
    if (script == kNone) return false;
    return std::ranges::any_of(structure.scripts[script].symbols, [&structure, types](u32 symbol) {
        return has_any(structure.symbols[symbol], types);
    });
}

namespace {

bool has_member(const DefinitionIndex& definitions, u64 group, u32 me) {
    const GroupDefinition* found = definitions.group(group);
    if (found == nullptr || found->type != kGroupCommGroup) return false;
    return std::find(found->members.begin(), found->members.end(), u64{me}) != found->members.end();
}

}  // namespace

u32 world_peer(const DefinitionIndex& definitions, u64 communicator, u32 me, u64 peer) {
    const CommunicatorDefinition* comm = definitions.communicator(communicator);
    if (comm == nullptr) return kNone;
    const bool other_side = comm->inter && has_member(definitions, comm->group, me);
    const GroupDefinition* group = definitions.group(other_side ? comm->remote : comm->group);
    if (group == nullptr) return kNone;
    if (!definitions.is_mpi_communicator(communicator)) {
        const bool is_all = is_group_of_all_ranks(group->type);
        if (!is_all && peer >= group->members.size()) return kNone;
        const u64 member = is_all ? peer : group->members[peer];
        return definitions.rank_of_member(group->paradigm, member).value_or(kNone);
    }
    if (group->type == kGroupCommSelf) return peer == 0 ? me : kNone;
    if (peer >= group->members.size()) return kNone;
    if (is_group_of_all_ranks(group->type)) return static_cast<u32>(peer);
    const u64 rank = group->type == kGroupCommGroup ? group->members[peer] : u64{kNone};
    return rank < definitions.world_size() ? static_cast<u32>(rank) : kNone;
}

u32 peer_process(const DefinitionIndex& definitions, u64 communicator, u32 location, u64 peer) {
    const CommunicatorDefinition* const comm = definitions.communicator(communicator);
    const GroupDefinition* const group = comm == nullptr ? nullptr : definitions.group(comm->group);
    if (group == nullptr) return kNone;
    const std::vector<LocationDefinition>& locations = definitions.locations();
    if (group->paradigm == kParadigmMpi || comm->inter) {
        const u32 me = definitions.world_rank(locations[location]).value_or(kNone);
        return world_peer(definitions, communicator, me, peer);
    }
    const u32 member = definitions.member_location(communicator, location, peer);
    return member == kNone ? kNone : definitions.process(locations[member]).value_or(kNone);
}

}  // namespace tracefold
