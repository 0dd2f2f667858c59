// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "query/recorded_types.hpp"

#include <algorithm>

namespace tracefold::inline query {

namespace {

bool has_any(const Symbol& symbol, std::initializer_list<EventType> types) {
    return std::ranges::any_of(symbol.elements, [types](const Element& element) {
        return std::ranges::find(types, static_cast<EventType>(element.type)) != types.end();
    });
}

}  // namespace

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

}  // namespace tracefold::inline query
