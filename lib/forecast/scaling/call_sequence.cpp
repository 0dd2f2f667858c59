// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/scaling/call_sequence.hpp"

#include "fold/call_encoder.hpp"
#include "model/definition_table.hpp"
#include "model/numbered_name.hpp"

#include <string>

namespace tracefold {

namespace {

using Argument = CallType::Argument;

std::string argument_name(const Symbol& symbol, const Slot& slot) {
    const Element& element = symbol.elements[slot.element];
    if (element.type == kCompletions) return "requests that are completed";
    if (slot.field == Slot::kAttributeField) return "attribute";
    if (!slot.late) return std::string(event_info(element.type).fields[slot.field].name);
    const EventType completion = element.type == static_cast<u8>(EventType::MpiIrecvRequest)
                                     ? EventType::MpiIrecv
                                     : EventType::NonBlockingCollectiveComplete;
    return std::string(event_info(completion).fields[slot.field].name);
}

std::string call_name(const TraceFile& file, const Symbol& symbol) {
    const Element& first = symbol.elements.front();
    if (first.type == static_cast<u8>(EventType::Enter)) {
        return file.definitions().region_name(first.context / 2);
    }
    return std::string(first.type == kCompletions ? "completions" : event_info(first.type).name);
}

CallType kind_of(const TraceFile& file, const Symbol& symbol) {
    CallType kind{call_name(file, symbol), symbol, {}, {}};
    for (const Slot& slot : slots_of(Stream::events, symbol)) {
        kind.arguments.push_back(
            {argument_name(symbol, slot), slot.kind, slot.shape, slot.late, slot.element});
    }
    return kind;
}

/// Distributes the columns of a location to its calls.
class Dealer {
  public:
    explicit Dealer(CallSequence& sequence) : sequence_(sequence) {}

    void take(const CallBatch& batch) {
        symbols_.insert(symbols_.end(), batch.symbols.begin(), batch.symbols.end());
        for (const CallBatch::Value& value : batch.values) {
            if (value.column >= columns_.size()) columns_.resize(value.column + 1);
            columns_[value.column].push_back(value.value);
        }
        for (const CallBatch::Delta& delta : batch.deltas) sequence_.ticks.push_back(delta.ticks);
    }

    void deal(const TraceFile& file, const CallEncoder& encoder, CallTypes& kinds) {
        std::vector<u32> numbers;
        std::vector<u32> first_column;
        u32 columns = 0;
        for (const Symbol& symbol : encoder.symbols()) {
            const u32 number =
                kinds.number("event " + symbol_key(symbol), [&] { return kind_of(file, symbol); });
            numbers.push_back(number);
            first_column.push_back(columns);
            const auto arguments = static_cast<u32>(kinds[number].arguments.size());
            note_views(number, encoder.peer_views(), columns, arguments);
            columns += arguments;
        }
        columns_.resize(columns);
        positions_.assign(columns, 0);
        for (const u32 symbol : symbols_) {
            add(numbers[symbol], kinds[numbers[symbol]], first_column[symbol]);
        }
    }

  private:
    void note_views(u32 number, const std::vector<PeerView>& views, u32 first, u32 count) {
        if (number >= sequence_.views.size()) sequence_.views.resize(number + 1);
        for (u32 i = 0; i < count; ++i) {
            sequence_.views[number].push_back(first + i < views.size() ? views[first + i]
                                                                       : PeerView{});
        }
    }

    void add(u32 number, const CallType& kind, u32 column) {
        sequence_.calls.push_back(number);
        sequence_.first.push_back(sequence_.values.size());
        u64 repeat = 1;
        for (const Argument& argument : kind.arguments) {
            const u64 count = argument.shape == SlotShape::each ? repeat : 1;
            for (u64 i = 0; i < count; ++i) {
                sequence_.values.push_back(columns_[column].at(positions_[column]++));
            }
            if (argument.shape == SlotShape::count) repeat = sequence_.values.back();
            ++column;
        }
    }

    CallSequence& sequence_;
    std::vector<u32> symbols_;
    std::vector<std::vector<u64>> columns_;
    std::vector<std::size_t> positions_;
};

/// Definitions in the words of a program's user; else the name of the record.
std::string_view words_of(DefinitionType type) {
    switch (type) {
        case DefinitionType::Comm:
        case DefinitionType::InterComm:
            return "communicators";
        case DefinitionType::Group:
            return "members of communicators";
        case DefinitionType::Location:
            return "threads";
        case DefinitionType::LocationGroup:
            return "processes";
        case DefinitionType::Region:
            return "functions";
        case DefinitionType::String:
            return "names";
        case DefinitionType::SystemTreeNode:
            return "nodes of the machine";
        case DefinitionType::RmaWin:
            return "windows";
        case DefinitionType::IoRegularFile:
        case DefinitionType::IoDirectory:
        case DefinitionType::IoHandle:
            return "files";
        case DefinitionType::CartTopology:
            return "Cartesian topologies";
        case DefinitionType::CartDimension:
            return "dimensions of Cartesian topologies";
        case DefinitionType::CartCoordinate:
            return "places in Cartesian topologies";
        default:
            return definition_info(static_cast<u8>(type)).name;
    }
}

CallType definition_kind(u8 number, std::string text, std::size_t numbers) {
    const auto type = static_cast<DefinitionType>(number);
    const RecordInfo& info = definition_info(number);
    CallType kind{
        std::string(words_of(type)), {{{number, false, 0, 0, {}}}}, std::move(text), {}, type};
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        if (field.kind == FieldKind::text) {
            for (std::size_t k = 0; k < numbers; ++k) {
                kind.arguments.push_back({"number", FieldKind::value, SlotShape::one, false});
            }
            continue;
        }
        const SlotShape shape = field.kind == FieldKind::count ? SlotShape::count
                                : field.array                  ? SlotShape::each
                                                               : SlotShape::one;
        const std::string_view name = i == 0 && field.name == "self" ? "number" : field.name;
        kind.arguments.push_back({std::string(name), field.kind, shape, false});
    }
    return kind;
}

bool is_string(u8 type) { return type == static_cast<u8>(DefinitionType::String); }

/// The pattern of a numbered name: the surrounding text, and leading zeros as in the example.
std::string shape_of(std::string_view text, const NumberedName& name) {
    std::string shape = name.shape;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool starts = i == 0 || text[i - 1] < '0' || text[i - 1] > '9';
        if (starts && text[i] == '0') shape += "\n" + std::to_string(i);
    }
    return shape;
}

/// True for a group of consecutive members: a row of a process matrix, not a column.
bool in_a_row(std::span<const u64> group) {
    constexpr std::size_t kMembers = 6;
    const std::span<const u64> members = group.subspan(std::min(kMembers, group.size()));
    return members.size() < 2 || members[1] == members[0] + 1;
}

/// Number of topologies whose coordinates have kinds of their own.
constexpr u64 kTopologiesApart = 4;

/// Key of a definition. Groups of locations and of ranks, and coordinates on the first topologies,
/// have different keys and fold separately.
std::string definition_key(u8 type, std::span<const u64> values) {
    std::string key = "definition " + std::to_string(type);
    const RecordInfo& info = definition_info(type);
    for (u8 i = 0; i < info.field_count && !info.fields[i].array; ++i) {
        const FieldKind kind = info.fields[i].kind;
        if (kind == FieldKind::enumeration) key += " " + std::to_string(values[i]);
    }
    if (type == static_cast<u8>(DefinitionType::Group)) key += in_a_row(values) ? " row" : "";
    if (type == static_cast<u8>(DefinitionType::CartCoordinate)) {
        key += " " + std::to_string(std::min(values[0], kTopologiesApart));
    }
    if (type == static_cast<u8>(DefinitionType::Comm)) {
        key += " " + std::to_string(values[1]) + " " + std::to_string(values[3]);
    }
    return key;
}

void add_definition(const RecordBatch& batch, const RecordBatch::Head& head, CallTypes& kinds,
                    CallSequence& out) {
    const std::span<const u64> values = batch.values(head);
    std::string key = definition_key(head.type, values);
    NumberedName name;
    std::string text;
    if (is_string(head.type)) {
        text = batch.text(head, values[1]);
        name = split_name(text);
        key += " " + (name.numbers.empty() ? text : shape_of(text, name));
    }
    out.calls.push_back(
        kinds.number(key, [&] { return definition_kind(head.type, text, name.numbers.size()); }));
    out.first.push_back(out.values.size());
    const std::size_t plain = is_string(head.type) ? 1 : values.size();
    out.values.insert(out.values.end(), values.begin(), values.begin() + static_cast<long>(plain));
    out.values.insert(out.values.end(), name.numbers.begin(), name.numbers.end());
}

}  // namespace

CallSequence read_events(TraceFile& file, u32 location, CallTypes& kinds) {
    CallSequence sequence;
    const MappingTables tables = file.mapping_tables(location);
    const bool timing = file.summary().timing != TimingLevel::none;
    CallEncoder encoder(file.definitions(), tables, file.definitions().locations()[location],
                        timing);
    Dealer dealer(sequence);
    CallBatch calls;
    drain(*file.events(location), [&](const RecordBatch& batch) {
        calls.clear();
        encoder.encode(batch, calls);
        dealer.take(calls);
    });
    calls.clear();
    encoder.finish(calls);
    dealer.take(calls);
    dealer.deal(file, encoder, kinds);
    return sequence;
}

CallSequence read_local_definitions(TraceFile& file, u32 location, CallTypes& kinds) {
    CallSequence sequence;
    drain(*file.local_definitions(location), [&](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            if (head.type == static_cast<u8>(DefinitionType::ClockOffset)) continue;
            add_definition(batch, head, kinds, sequence);
        }
    });
    return sequence;
}

CallSequence read_global_definitions(TraceFile& file, CallTypes& kinds) {
    CallSequence sequence;
    drain(*file.global_definitions(), [&](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            add_definition(batch, head, kinds, sequence);
        }
    });
    return sequence;
}

void append_definition(const CallType& kind, std::span<const u64> values, RecordBatch& out) {
    const u8 type = kind.symbol.elements.front().type;
    out.begin(type);
    if (!is_string(type)) {
        out.push(values);
        return;
    }
    out.push(values[0]);
    out.push_text(values.size() > 1 ? join_name(kind.text, values.subspan(1)) : kind.text);
}

}  // namespace tracefold
