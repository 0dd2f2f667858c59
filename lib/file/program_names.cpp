// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/program_names.hpp"

#include "file/call_names.hpp"
#include "model/event_table.hpp"

#include <filesystem>

namespace tracefold {

std::vector<std::string> symbol_names(TraceFile& file) {
    const ExecutionCounts counts(file.index());
    CallNames calls(file, counts);
    std::vector<std::string> names;
    const Structure& structure = file.structure();
    for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
        if (structure.symbol_streams[symbol] != Stream::events) continue;
        if (!structure.symbols[symbol].elements.empty()) names.push_back(calls.name(symbol));
    }
    return names;
}

std::optional<u64> program_string(TraceFile& file, ExecutionCounts& counts, u32 location) {
    const u32 script = file.index().script(Stream::events, location);
    if (script == kNone) return std::nullopt;
    for (const u32 symbol : file.structure().scripts[script].symbols) {
        const std::vector<Element>& elements = file.structure().symbols[symbol].elements;
        const std::vector<Slot>& slots = file.index().slots(symbol);
        for (u32 slot = 0; slot < slots.size(); ++slot) {
            const Element& element = elements[slots[slot].element];
            const bool names_it =
                element.type == static_cast<u8>(EventType::ProgramBegin) && slots[slot].field == 0;
            if (!names_it) continue;
            std::optional<u64> code;
            counts.visit(counts.slot(symbol, slot, location), [&code](const ValueRun& run) {
                if (!code) code = run.start;
            });
            if (!code) return std::nullopt;
            const MappingTables tables = file.mapping_tables(location);
            return element.raw ? tables.global(FieldKind::string, *code)
                               : tables.global_of_code(FieldKind::string, *code);
        }
    }
    return std::nullopt;
}

std::string program_name(TraceFile& file) {
    ExecutionCounts counts(file.index());
    u32 nameless = kNone;  // script; most locations run the same one
    for (u32 location = 0; location < file.location_count(); ++location) {
        const u32 script = file.index().script(Stream::events, location);
        if (script == nameless) continue;
        nameless = script;
        const std::optional<u64> name = program_string(file, counts, location);
        if (name)
            return std::filesystem::path(file.definitions().string(*name)).filename().string();
    }
    return {};
}

}  // namespace tracefold
