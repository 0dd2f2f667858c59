// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause

// Prints an OTF2 archive, or a folded file, as tests/decoder/decode.py prints a folded file, for
// comparison:
//   list_records ARCHIVE|FILE definitions | local-definitions N | records
//   list_records FILE all      what the file says of the archive, all of these, files carried along
#include "file/trace_file.hpp"
#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/record_batch.hpp"
#include "otf2/archive_reader.hpp"

#include <cstdio>
#include <exception>
#include <functional>
#include <iostream>
#include <stdexcept>
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

/// Where records come from; locations are numbers in the order of their definitions.
struct Records {
    std::function<void(const BatchSink&)> definitions;
    std::function<void(u32 location, const BatchSink&)> local_definitions;
    std::function<void(u32 location, const BatchSink&)> events;
};

std::vector<u64> locations_of(const Records& records) {
    std::vector<u64> locations;
    records.definitions([&locations](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            const bool is_location = head.type == static_cast<u8>(DefinitionType::Location);
            if (is_location) locations.push_back(batch.values(head)[0]);
        }
    });
    return locations;
}

void print_all_events(const Records& records, std::size_t locations) {
    for (u32 i = 0; i < locations; ++i) {
        records.events(i, [i](const RecordBatch& batch) { print_events(i, batch); });
    }
}

void print_file(TraceFile& file, const Records& records) {
    std::cout << "anchor " << escaped(file.archive().anchor_bytes) << '\n';
    records.definitions(print_definitions);
    for (u32 i = 0; i < file.location_count(); ++i) {
        std::cout << "location " << i << '\n';
        records.local_definitions(i, print_definitions);
    }
    print_all_events(records, file.location_count());
    file.read_files([](const CarriedFile& carried) {
        std::cout << "file " << escaped(carried.path) << ' ' << escaped(carried.content) << '\n';
    });
}

void print_part(const Records& records, const std::vector<std::string>& what) {
    if (what[0] == "definitions") records.definitions(print_definitions);
    if (what[0] == "local-definitions") {
        records.local_definitions(static_cast<u32>(std::stoul(what.at(1))), print_definitions);
    }
    if (what[0] == "records") print_all_events(records, locations_of(records).size());
}

Records records_of(TraceFile& file) {
    return {[&file](const BatchSink& sink) { drain(*file.global_definitions(), sink); },
            [&file](u32 i, const BatchSink& sink) { drain(*file.local_definitions(i), sink); },
            [&file](u32 i, const BatchSink& sink) { drain(*file.events(i), sink); }};
}

Records records_of(ArchiveReader& reader) {
    Records records;
    records.definitions = [&reader](const BatchSink& sink) {
        reader.read_global_definitions(sink);
    };
    const std::vector<u64> ids = locations_of(records);
    records.local_definitions = [&reader, ids](u32 i, const BatchSink& sink) {
        reader.read_local_definitions(ids.at(i), sink);
    };
    records.events = [&reader, ids](u32 i, const BatchSink& sink) {
        reader.read_events(ids.at(i), sink);
    };
    return records;
}

void run(const std::string& input, const std::vector<std::string>& what) {
    if (!input.ends_with(".tfold")) {
        ArchiveReader reader(input);
        return print_part(records_of(reader), what);
    }
    TraceFile file(input);
    if (what[0] == "all") return print_file(file, records_of(file));
    print_part(records_of(file), what);
}

}  // namespace

}  // namespace tracefold

int main(int argc, char** argv) {
    try {
        if (argc < 3) throw std::invalid_argument("usage: list_records ARCHIVE|FILE WHAT");
        tracefold::run(argv[1], {argv + 2, argv + argc});
        return 0;
    } catch (const std::exception& error) {
        std::cerr << "list_records: " << error.what() << '\n';
        return 1;
    }
}
