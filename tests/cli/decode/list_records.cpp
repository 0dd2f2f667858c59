// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Prints an OTF2 archive as scripts/decode.py prints a .tfold file, for comparison:
//   list_records ARCHIVE definitions | local-definitions N | records
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/record_batch.hpp"
#include "otf2/archive_reader.hpp"

#include <cstdio>
#include <exception>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

namespace tracefold {

namespace {

std::string number(FieldKind kind, u64 value) {
    return kind == FieldKind::signed_value ? std::to_string(static_cast<i64>(value))
                                           : std::to_string(value);
}

std::string escaped(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        const unsigned byte = static_cast<unsigned char>(c);
        char hex[8];
        std::snprintf(hex, sizeof hex, "\\x%02x", byte);
        const bool plain = byte >= 0x20 && byte < 0x7F && c != '"' && c != '\\';
        out += plain ? std::string(1, c) : std::string(hex);
    }
    return out + '"';
}

std::string line_of(const RecordInfo& info, const RecordBatch& batch,
                    const RecordBatch::Head& head) {
    std::string line(info.name);
    const auto values = batch.values(head);
    std::size_t position = 0;
    u64 repeat = 0;
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        line += ' ' + std::string(field.name) + '=';
        if (field.array) {
            line += '[';
            for (u64 k = 0; k < repeat; ++k) {
                line += (k == 0 ? "" : ",") + number(field.kind, values[position++]);
            }
            line += ']';
            continue;
        }
        const u64 value = values[position++];
        if (field.kind == FieldKind::count) repeat = value;
        line += field.kind == FieldKind::text ? escaped(batch.text(head, value))
                                              : number(field.kind, value);
    }
    return line;
}

void print_definitions(const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) {
        std::cout << line_of(definition_info(head.type), batch, head) << '\n';
    }
}

void print_events(std::size_t location, const RecordBatch& batch) {
    for (const RecordBatch::Head& head : batch.heads()) {
        std::cout << location << ' ' << head.time << ' '
                  << line_of(event_info(head.type), batch, head);
        for (const Attribute& attribute : batch.attributes(head)) {
            std::cout << " @" << attribute.ref << ':' << unsigned{attribute.type} << ':'
                      << attribute.value;
        }
        std::cout << '\n';
    }
}

int run(const std::vector<std::string>& arguments) {
    ArchiveReader reader(arguments.at(0));
    const std::string& what = arguments.at(1);
    std::vector<u64> locations;
    reader.read_global_definitions([&](const RecordBatch& batch) {
        if (what == "definitions") print_definitions(batch);
        for (const RecordBatch::Head& head : batch.heads()) {
            const bool is_location = head.type == static_cast<u8>(DefinitionType::Location);
            if (is_location) locations.push_back(batch.values(head)[0]);
        }
    });
    if (what == "local-definitions") {
        const std::size_t location = std::stoul(arguments.at(2));
        reader.read_local_definitions(locations.at(location), print_definitions);
    } else if (what == "records") {
        for (std::size_t i = 0; i < locations.size(); ++i) {
            reader.read_events(locations[i],
                               [i](const RecordBatch& batch) { print_events(i, batch); });
        }
    }
    return 0;
}

}  // namespace

}  // namespace tracefold

int main(int argc, char** argv) {
    try {
        return tracefold::run({argv + 1, argv + argc});
    } catch (const std::exception& error) {
        std::cerr << "list_records: " << error.what() << '\n';
        return 1;
    }
}
