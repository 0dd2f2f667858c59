// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "analysis/listed_arguments.hpp"

#include "analysis/column_fingerprint.hpp"
#include "core/hash.hpp"
#include "model/event_table.hpp"
#include "mpi_calls/call_encoder.hpp"
#include "mpi_calls/collective_sizes.hpp"
#include "mpi_calls/completion_kinds.hpp"
#include "names/enumerator_names.hpp"

#include <map>
#include <tuple>

namespace tracefold {

namespace {

using Use = ExecutionCounts::Use;

u64 fingerprint(const Structure& structure, const Use& numbers) {
    return numbers.column == kNone
               ? mix(numbers.value)
               : column_fingerprint(structure.patterns, structure.columns, numbers.column);
}

/// The record that a slot's field belongs to: late values are fields of the completion.
const RecordInfo& described_by(const Element& element, const Slot& slot) {
    return event_info(slot.late ? static_cast<u8>(posting_kind(element.type)->completion)
                                : element.type);
}

bool is_interesting(const Slot& slot) {
    switch (slot.kind) {
        case FieldKind::request_new:
        case FieldKind::request_done:
        case FieldKind::request_used:
        case FieldKind::matching_id:
        case FieldKind::message_new:
        case FieldKind::message_used:
        case FieldKind::ticks:
        case FieldKind::type:
            return false;
        default:
            return true;
    }
}

/// The arguments of one symbol.
class ArgumentLister {
  public:
    ArgumentLister(ListingSource& source, u32 symbol, const std::vector<u32>& members)
        : source_(source),
          symbol_(symbol),
          members_(members),
          elements_(source.structure().symbols[symbol].elements),
          slots_(source.index().slots(symbol)) {}

    std::vector<ListedRecord> run() {
        std::vector<ListedRecord> records;
        u32 slot = 0;
        for (std::size_t e = 0; e < elements_.size(); ++e) {
            ListedRecord record;
            const u8 type = elements_[e].type;
            record.name = type == kCompletions ? "Completions" : event_info(type).name;
            first_slot_ = slot;
            for (; slot < slots_.size() && slots_[slot].element == e; ++slot) {
                if (is_interesting(slots_[slot])) record.arguments.push_back(argument(slot));
            }
            const bool bare = is_enter(type) || is_leave(type);
            if (!bare || !record.arguments.empty()) records.push_back(std::move(record));
        }
        return records;
    }

  private:
    [[nodiscard]] const Element& element_of(const Slot& slot) const {
        return elements_[slot.element];
    }

    ListedArgument argument(u32 number) {
        const Slot& slot = slots_[number];
        const Element& element = element_of(slot);
        ListedArgument out;
        if (slot.field == Slot::kAttributeField) return attribute(number);
        if (element.type == kCompletions) {
            out.name = "completions";
            out.variants = variants(number, false);
            return out;
        }
        const RecordInfo& info = described_by(element, slot);
        out.name = info.fields[slot.field].name;
        if (element.raw) {
            out.variants = variants(number, false);
            return out;
        }
        fill(number, info, out);
        return out;
    }

    void fill(u32 number, const RecordInfo& info, ListedArgument& out) {
        const Slot& slot = slots_[number];
        switch (slot.kind) {
            case FieldKind::peer:
                peer(number, out);
                return;
            case FieldKind::bytes:
                out.role = ValueRole::bytes;
                out.variants = variants(number, false);
                collective_sizes(number, out);
                return;
            case FieldKind::root:
                name_values(number, out, [](u64 root, u32) {
                    const std::string_view special = special_rank_name(root);
                    return special.empty() ? std::to_string(root) : std::string(special);
                });
                return;
            case FieldKind::op:
            case FieldKind::enumeration: {
                const Enumeration names = enumeration_of(info.name, out.name);
                name_values(number, out,
                            [names](u64 value, u32) { return enumerator_name(names, value); });
                return;
            }
            case FieldKind::signed_value:
                out.role = ValueRole::signed_number;
                out.variants = variants(number, true);
                return;
            default:
                break;
        }
        if (slot.kind >= FieldKind::string) {
            references(number, out);
        } else {
            const bool opaque = out.name == "metric_values";
            if (opaque) out.role = ValueRole::opaque;
            out.variants = opaque ? how_many(number) : variants(number, false);
        }
    }

    std::vector<ListedVariant> variants(u32 number, bool is_signed) {
        return list_variants(
            members_, source_.structure(),
            [this, number](u32 member) { return source_.counts().slot(symbol_, number, member); },
            [this, is_signed](const Use& use) {
                return summarize(source_.counts(), use, source_.index().source(), is_signed);
            });
    }

    /// Only the number of different values.
    std::vector<ListedVariant> how_many(u32 number) {
        return list_variants(
            members_, source_.structure(),
            [this, number](u32 member) { return source_.counts().slot(symbol_, number, member); },
            [this](const Use& use) {
                return ValueSummary{
                    {},
                    0,
                    0,
                    summarize(source_.counts(), use, source_.index().source(), false).distinct};
            });
    }

    ListedArgument attribute(u32 number) {
        const Slot& slot = slots_[number];
        // The slots of an element begin with those of its attributes.
        const AttributeKey& key = element_of(slot).attributes[number - first_slot_];
        ListedArgument out;
        out.name = source_.names().label(
            FieldKind::attribute, source_.calls().global(symbol_, FieldKind::attribute, key.ref));
        name_values(number, out,
                    [&key](u64 value, u32) { return typed_value_text(key.type, value); });
        return out;
    }

    /// Values that have names. Participants part where the same value has another name.
    void name_values(u32 number, ListedArgument& out,
                     const std::function<std::string(u64 value, u32 member)>& name) {
        out.role = ValueRole::label;
        for (ListedVariant& variant : variants(number, false)) {
            if (variant.values.values.empty()) {
                out.variants.push_back(std::move(variant));
                continue;
            }
            std::map<std::vector<std::string>, std::size_t> known;
            for (const u32 member : variant.participants.members()) {
                std::vector<std::string> labels;
                for (const u64 value : variant.values.values) labels.push_back(name(value, member));
                const auto [found, fresh] = known.emplace(std::move(labels), out.variants.size());
                if (fresh) {
                    out.variants.push_back({{}, variant.values, found->first, variant.fingerprint});
                }
                out.variants[found->second].participants.add(member);
            }
        }
    }

    void references(u32 number, ListedArgument& out) {
        const FieldKind kind = slots_[number].kind;
        name_values(number, out, [this, kind](u64 value, u32 member) -> std::string {
            if (kind == FieldKind::comm && value == kNeverCompleted) return "never completed";
            const u64 global = is_reference_code(kind)
                                   ? source_.calls().global(symbol_, kind, value)
                                   : source_.local_ids().global(kind, value, member);
            return source_.names().label(kind, global);
        });
    }

    void peer(u32 number, ListedArgument& out) {
        const PeerEncoding encoding = source_.structure().slots[symbol_][number].peers;
        out.role = peer_role(encoding);
        out.variants = variants(number, encoding == PeerEncoding::relative);
    }

    /// The sizes of a collective stand as a payload and a residual; the payload's unit depends on
    /// the operation.
    void collective_sizes(u32 number, ListedArgument& out) {
        const Slot& slot = slots_[number];
        const RecordInfo& info = described_by(element_of(slot), slot);
        u8 field = 0;
        while (field < info.field_count && info.fields[field].kind != FieldKind::op) ++field;
        if (field == info.field_count) return;
        const bool first = info.fields[slot.field - 1U].kind != FieldKind::bytes;
        out.name = first ? "payload" : "residual";
        for (u32 other = first_slot_; first && other < number; ++other) {
            if (slots_[other].kind != FieldKind::op) continue;
            for (ListedVariant& variant : out.variants) {
                const u32 member = variant.participants.first();
                const ValueSummary operation =
                    summarize(source_.counts(), source_.counts().slot(symbol_, other, member),
                              source_.index().source(), false);
                if (operation.is_constant()) to_bytes(operation.minimum, variant.values);
            }
        }
    }

    static void to_bytes(u64 operation, ValueSummary& summary) {
        const auto bytes = [operation](u64& payload) {
            payload = payload_bytes(operation, {payload, 0});
        };
        for (u64& payload : summary.values) bytes(payload);
        bytes(summary.minimum);
        bytes(summary.maximum);
    }

    ListingSource& source_;
    u32 symbol_;
    const std::vector<u32>& members_;
    const std::vector<Element>& elements_;
    const std::vector<Slot>& slots_;
    u32 first_slot_ = 0;  ///< of the element being listed
};

}  // namespace

std::vector<ListedRecord> list_records(ListingSource& source, u32 symbol,
                                       const std::vector<u32>& members) {
    return ArgumentLister(source, symbol, members).run();
}

std::vector<ListedVariant> list_variants(const std::vector<u32>& members,
                                         const Structure& structure,
                                         const std::function<Use(u32 member)>& use,
                                         const std::function<ValueSummary(const Use&)>& summary) {
    std::map<std::tuple<u32, u64, u64>, std::size_t> by_numbers;
    std::map<ValueSummary, std::size_t> by_summary;
    std::vector<ListedVariant> variants;
    for (const u32 member : members) {
        Use numbers = use(member);
        if (numbers.column != kNone) {
            const Column& column = structure.columns[numbers.column];
            if (column.form == Column::Form::constant) {
                numbers = {kNone, column.start, numbers.size};
            }
        }
        // A constant is the same however often it is asked for; so are whole folded columns.
        const bool open_end =
            numbers.column != kNone && !structure.columns[numbers.column].is_folded();
        const auto key = std::tuple(numbers.column, numbers.value, open_end ? numbers.size : 0);
        auto known = by_numbers.find(key);
        if (known == by_numbers.end()) {
            const auto [same, fresh] = by_summary.emplace(summary(numbers), variants.size());
            if (fresh) variants.push_back({{}, same->first, {}});
            ListedVariant& variant = variants[same->second];
            variant.fingerprint = mix(variant.fingerprint ^ fingerprint(structure, numbers));
            known = by_numbers.emplace(key, same->second).first;
        }
        variants[known->second].participants.add(member);
    }
    return variants;
}

}  // namespace tracefold
