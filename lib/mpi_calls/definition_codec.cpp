// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi_calls/definition_codec.hpp"

#include "core/error.hpp"
#include "model/definition_table.hpp"

namespace tracefold {

void DefinitionEncoder::encode(const RecordBatch& records, CallBatch& out) {
    for (const RecordBatch::Head& head : records.heads()) {
        const RecordInfo& info = definition_info(head.type);
        const u32 element = table_.element({head.type, false, kDynamicArray, 0, {}});
        const u32 symbol = table_.symbol_at(table_.step(SymbolTable::kRoot, element));
        out.symbols.push_back(symbol);
        u32 column = table_.entry(symbol).elements[0].first;
        const auto values = records.values(head);
        std::size_t position = 0;
        u64 repeat = 0;
        for (u8 i = 0; i < info.field_count; ++i) {
            const Field& field = info.fields[i];
            const u64 times = field.array ? repeat : 1;
            if (field.kind == FieldKind::count) repeat = values[position];
            if (field.kind == FieldKind::text) {
                const std::string_view text = records.text(head, values[position]);
                if (stream_ == Stream::global_definitions) {
                    text_.append(text);
                } else {
                    out.values.push_back({column++, text.size()});
                    for (const char c : text) {
                        out.values.push_back({column, static_cast<unsigned char>(c)});
                    }
                    ++column;
                    ++position;
                    continue;
                }
            }
            for (u64 k = 0; k < times; ++k) out.values.push_back({column, values[position++]});
            ++column;
        }
    }
}

void DefinitionDecoder::decode(u32 symbol, std::span<const u64> values, RecordBatch& out) {
    const Element& element = symbols_[symbol].elements[0];
    const RecordInfo& info = definition_info(element.type);
    out.begin(element.type);
    std::size_t position = 0;
    u64 repeat = 0;
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        if (field.kind == FieldKind::text) {
            const u64 length = values[position++];
            if (stream_ == Stream::global_definitions) {
                if (length > text_.size() - text_position_) {
                    throw Error(ErrorKind::corrupt, "a string is longer than the text section");
                }
                out.push_text(std::string_view(text_).substr(text_position_, length));
                text_position_ += length;
            } else {
                std::string text;
                for (u64 k = 0; k < length; ++k)
                    text.push_back(static_cast<char>(values[position++]));
                out.push_text(text);
            }
            continue;
        }
        const u64 times = field.array ? repeat : 1;
        if (field.kind == FieldKind::count) repeat = values[position];
        for (u64 k = 0; k < times; ++k) out.push(values[position++]);
    }
}

}  // namespace tracefold
