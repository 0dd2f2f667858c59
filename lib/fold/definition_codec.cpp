// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "fold/definition_codec.hpp"

#include "base/error.hpp"
#include "model/definition_table.hpp"
#include "model/numbered_name.hpp"

#include <utility>

namespace tracefold {

StringEncoder::StringEncoder(const Dictionary& dictionary) : dictionary_(dictionary) {
    const auto entries = dictionary.entries();
    for (std::size_t i = 0; i < entries.size(); ++i) {
        if (!entries[i].numbered) continue;
        const std::string text(entries[i].text);
        models_.emplace(split_name(text).shape, Model{text, 2 * i + 1, kUsesBefore});
    }
}

StringForm StringEncoder::encode(std::string_view text) {
    const u64 number = next_++;
    const auto entries = dictionary_.entries();
    const u32 entry = find_entry(text);
    if (entry != kNone && !entries[entry].numbered) {
        entry_ = entry + 1;
        return {2 * u64{entry} + 1, false, false, {}};
    }
    NumberedName name = split_name(text);
    if (!name.numbers.empty()) {
        const auto [found, fresh] = models_.try_emplace(std::move(name.shape));
        Model& model = found->second;
        if (fresh) model = {std::string(text), 2 * number, 0};
        if (model.uses == kUsesBefore && join_name(model.text, name.numbers) == text) {
            return {model.code, false, true, std::move(name.numbers)};
        }
        if (model.uses < kUsesBefore) ++model.uses;
    }
    return {2 * u64{text.size()}, true, false, {}};
}

/// Tries the entry after the last one; then one that follows another entry with the last text,
/// since recorders' lists omit different names; then the next entries.
u32 StringEncoder::find_entry(std::string_view text) const {
    const auto entries = dictionary_.entries();
    if (entry_ < entries.size() && entries[entry_].text == text) return entry_;
    if (entry_ == 0) return dictionary_.find(text);
    const std::string_view before = entries[entry_ - 1].text;
    const u32 entry = dictionary_.find(text, before);
    if (entry == kNone || (entry > 0 && entries[entry - 1].text == before)) return entry;
    for (u32 i = entry_; i < entries.size() && i < entry_ + kSoon; ++i) {
        if (entries[i].text == text) return i;
    }
    return entry;
}

StringDecoder::StringDecoder(const std::vector<Symbol>& symbols, const Dictionary& dictionary)
    : dictionary_(dictionary) {
    for (const Symbol& symbol : symbols) {
        const Element& element = symbol.elements[0];
        if (!is_numbered_string(Stream::global_definitions, element)) continue;
        if (element.context % 2 == 0) models_.emplace(element.context / 2, "");
    }
}

std::string_view StringDecoder::known(u64 code) const {
    const auto entries = dictionary_.entries();
    if (code / 2 >= entries.size()) {
        throw Error(ErrorKind::corrupt, "a string is none of the dictionary's");
    }
    return entries[code / 2].text;
}

std::string StringDecoder::join(const Element& element, std::span<const u64> numbers) const {
    std::string_view model;
    if (element.context % 2 != 0) {
        model = known(element.context);
    } else {
        model = models_.at(element.context / 2);
    }
    if (numbers.empty() || split_name(model).numbers.size() != numbers.size()) {
        throw Error(ErrorKind::corrupt, "a string is not like its model");
    }
    return join_name(model, numbers);
}

void StringDecoder::note(std::string_view text) {
    const auto found = models_.find(next_++);
    if (found != models_.end()) found->second = text;
}

void RolePrediction::note(u64 id, std::string_view text) {
    const u32 entry = dictionary_.find(text);
    const u8 role = entry == kNone ? u8{0} : dictionary_.entries()[entry].role;
    if (role != 0) {
        roles_[id] = role;
    } else {
        roles_.erase(id);
    }
}

u64 RolePrediction::role(u64 name) const {
    const auto found = roles_.find(name);
    return found == roles_.end() ? 0 : found->second;
}

namespace {

constexpr u8 kRegionName = 1;
constexpr u8 kRegionRole = 4;
constexpr u8 kLocationEvents = 3;

bool is(DefinitionType type, u8 id) { return id == static_cast<u8>(type); }

/// The dimensions of a coordinate are separate columns; other arrays may have any length.
u32 layout_of(const RecordBatch& records, const RecordBatch::Head& head) {
    constexpr std::size_t kDimensions = 2;
    if (!is(DefinitionType::CartCoordinate, head.type)) return kDynamicArray;
    return static_cast<u32>(records.values(head)[kDimensions]);
}

/// The expected value of a record field.
struct Expectation {
    u8 field = 0xFF;
    u64 value = 0;
};

/// `values` are those of the record; only the fields before the expected one are used.
Expectation expectation(Stream stream, u8 type, std::span<const u64> values,
                        const RolePrediction& roles, const EventCounts& events) {
    if (stream != Stream::global_definitions) return {};
    if (is(DefinitionType::Region, type)) return {kRegionRole, roles.role(values[kRegionName])};
    if (is(DefinitionType::Location, type) && events) return {kLocationEvents, events()};
    return {};
}

}  // namespace

void DefinitionEncoder::encode(const RecordBatch& records, CallBatch& out) {
    for (const RecordBatch::Head& head : records.heads()) {
        if (stream_ == Stream::global_definitions && is(DefinitionType::String, head.type)) {
            encode_string(records, head, out);
        } else {
            encode_record(records, head, out);
        }
    }
}

u32 DefinitionEncoder::begin(const Element& element, CallBatch& out) {
    const u32 symbol = table_.symbol_at(table_.step(SymbolTable::kRoot, table_.element(element)));
    out.symbols.push_back(symbol);
    return table_.entry(symbol).elements[0].first;
}

void DefinitionEncoder::encode_string(const RecordBatch& records, const RecordBatch::Head& head,
                                      CallBatch& out) {
    const auto values = records.values(head);
    const std::string_view text = records.text(head, values[1]);
    const StringForm form = strings_.encode(text);
    roles_.note(values[0], text);
    Element element{head.type, false, kDynamicArray, 0, {}};
    if (form.numbered) {
        element.array_count = static_cast<u32>(form.numbers.size());
        element.context = form.code;
    }
    u32 column = begin(element, out);
    out.values.push_back({column++, values[0]});
    if (!form.numbered) out.values.push_back({column, form.code});
    for (const u64 number : form.numbers) out.values.push_back({column++, number});
    if (form.literal) text_.append(text);
}

void DefinitionEncoder::encode_record(const RecordBatch& records, const RecordBatch::Head& head,
                                      CallBatch& out) {
    const RecordInfo& info = definition_info(head.type);
    const auto values = records.values(head);
    const u32 layout = layout_of(records, head);
    const bool fixed = layout != kDynamicArray;
    u32 column = begin({head.type, false, layout, 0, {}}, out);
    const auto put = [&](u64 value) { out.values.push_back({column, value}); };
    const Expectation expected = expectation(stream_, head.type, values, roles_, events_);
    std::size_t position = 0;
    u64 repeat = 0;
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        const u64 times = field.array ? repeat : 1;
        if (field.kind == FieldKind::count) repeat = values[position];
        if (field.kind == FieldKind::count && fixed) {
            ++position;
            continue;
        }
        if (field.kind == FieldKind::text) {
            const std::string_view text = records.text(head, values[position++]);
            put(text.size());
            ++column;
            for (const char c : text) put(static_cast<unsigned char>(c));
            ++column;
            continue;
        }
        const u64 base = i == expected.field ? expected.value : 0;
        for (u64 k = 0; k < times; ++k) {
            put(values[position++] - base);
            if (fixed && field.array) ++column;
        }
        if (!fixed || !field.array) ++column;
    }
}

void DefinitionDecoder::decode(u32 symbol, std::span<const u64> values, RecordBatch& out) {
    const Element& element = symbols_[symbol].elements[0];
    out.begin(element.type);
    if (stream_ == Stream::global_definitions && is(DefinitionType::String, element.type)) {
        decode_string(element, values, out);
    } else {
        decode_record(element, values, out);
    }
}

void DefinitionDecoder::decode_string(const Element& element, std::span<const u64> values,
                                      RecordBatch& out) {
    std::string joined;
    std::string_view text;
    if (is_numbered_string(stream_, element)) {
        joined = strings_.join(element, values.subspan(1));
        text = joined;
    } else if (values[1] % 2 != 0) {
        text = strings_.known(values[1]);
    } else {
        text = literal(values[1] / 2);
    }
    strings_.note(text);
    roles_.note(values[0], text);
    out.push(values[0]);
    out.push_text(text);
}

std::string_view DefinitionDecoder::literal(u64 length) {
    if (length > text_.size() - text_position_) {
        throw Error(ErrorKind::corrupt, "a string is longer than the text of all");
    }
    text_position_ += length;
    return std::string_view(text_).substr(text_position_ - length, length);
}

void DefinitionDecoder::decode_record(const Element& element, std::span<const u64> values,
                                      RecordBatch& out) {
    const RecordInfo& info = definition_info(element.type);
    const bool fixed = element.array_count != kDynamicArray;
    const Expectation expected = expectation(stream_, element.type, values, roles_, events_);
    std::size_t position = 0;
    u64 repeat = 0;
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        if (field.kind == FieldKind::text) {
            std::string text;
            for (u64 left = values[position++]; left > 0; --left) {
                text.push_back(static_cast<char>(values[position++]));
            }
            out.push_text(text);
            continue;
        }
        if (field.kind == FieldKind::count) {
            repeat = fixed ? element.array_count : values[position++];
            out.push(repeat);
            continue;
        }
        const u64 base = i == expected.field ? expected.value : 0;
        for (u64 k = field.array ? repeat : 1; k > 0; --k) out.push(values[position++] + base);
    }
}

}  // namespace tracefold
