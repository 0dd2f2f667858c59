// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "format/structure_codec.hpp"

#include "format/column_codec.hpp"
#include "format/column_nesting.hpp"
#include "format/symbol_codec.hpp"

#include <utility>

namespace tracefold {

namespace {

constexpr u64 kNewColumn = 0;
constexpr u64 kClasses = 1;
constexpr u64 kConstants = 2;
constexpr u64 kKnownColumn = 3;

/// Nodes that a column may have below it, besides some for each byte of the section.
constexpr u64 kFreeNodes = u64{1} << 22U;

class StructureWriter {
  public:
    explicit StructureWriter(const Structure& structure)
        : structure_(structure), columns_(out_, structure.patterns, structure.columns) {}

    std::string run() {
        out_.put_varint(structure_.location_count);
        out_.put_varint(structure_.symbols.size());
        SymbolWriter symbols(out_);
        for (std::size_t i = 0; i < structure_.symbols.size(); ++i) {
            symbols.put(structure_.symbol_streams[i], structure_.symbols[i]);
        }
        out_.put_varint(structure_.scripts.size());
        for (const Script& script : structure_.scripts) {
            out_.put_u8(static_cast<u8>(script.stream));
            columns_.put_pattern(script.pattern);
            put_items(out_, script.symbols);
        }
        for (const u32 column : structure_.script_of) columns_.put_column(column);
        out_.put_varint(structure_.facts.size());
        for (const u32 column : structure_.facts) columns_.put_column(column);
        for (const auto& counts : structure_.script_counts) put_counts(counts);
        for (std::size_t i = 0; i < structure_.symbols.size(); ++i) {
            const std::vector<Slot> slots =
                slots_of(structure_.symbol_streams[i], structure_.symbols[i]);
            for (std::size_t k = 0; k < slots.size(); ++k) {
                const Assignment& assignment = structure_.slots[i][k];
                if (slots[k].kind == FieldKind::peer) {
                    out_.put_varint(static_cast<u64>(assignment.peers));
                }
                put(assignment);
            }
        }
        return out_.take();
    }

  private:
    void put_counts(const std::vector<Assignment>& counts) {
        std::vector<std::size_t> nodes;
        for (std::size_t node = 0; node < counts.size(); ++node) {
            if (!counts[node].is_always_one()) nodes.push_back(node);
        }
        out_.put_varint(nodes.size());
        std::size_t expected = 0;
        for (const std::size_t node : nodes) {
            out_.put_varint(node - expected);
            put(counts[node]);
            expected = node + 1;
        }
    }

    void put(const Assignment& assignment) {
        if (assignment.by_participant == kNone) {
            u64 number = 0;
            if (columns_.is_known(assignment.columns[0], number)) {
                out_.put_varint(kKnownColumn + number);
            } else {
                columns_.put_column(assignment.columns[0]);
            }
            return;
        }
        const bool constants = assignment.columns.empty();
        out_.put_varint(constants ? kConstants : kClasses);
        columns_.put_column(assignment.by_participant);
        if (constants) return;
        out_.put_varint(assignment.columns.size());
        for (const u32 column : assignment.columns) columns_.put_column(column);
    }

    const Structure& structure_;
    ByteWriter out_;
    ColumnWriter columns_;
};

class StructureReader {
  public:
    StructureReader(std::string_view bytes, const std::string& name)
        : in_(bytes, name),
          max_nodes_(kFreeNodes + 64 * bytes.size()),
          columns_(in_, out_.patterns, out_.columns) {}

    Structure run() {
        const u64 locations = in_.get_varint();
        if (locations > kNone - 1) in_.fail("there are more locations than can be numbered");
        out_.location_count = static_cast<u32>(locations);
        get_symbols();
        const u64 scripts = in_.get_count(3);
        for (u64 i = 0; i < scripts; ++i) get_script();
        for (int i = 0; i < kStreams; ++i) out_.script_of.push_back(columns_.get_column());
        const u64 facts = in_.get_varint();
        if (facts != 0 && facts != LocationFacts::kFields) in_.fail("there are unknown facts");
        for (u64 i = 0; i < facts; ++i) {
            out_.facts.push_back(columns_.get_column());
        }
        for (const Script& script : out_.scripts) get_counts(script);
        for (std::size_t i = 0; i < out_.symbols.size(); ++i) get_slots(i);
        in_.expect_end();
        check_nesting(out_, max_nodes_, in_);
        return std::move(out_);
    }

  private:
    void get_symbols() {
        const u64 count = in_.get_count(1);
        SymbolReader reader(in_);
        for (u64 i = 0; i < count; ++i) {
            Stream stream{};
            out_.symbols.push_back(reader.get(stream));
            out_.symbol_streams.push_back(stream);
        }
    }

    void get_script() {
        Script script;
        const u8 stream = in_.get_u8();
        if (stream > static_cast<u8>(Stream::global_definitions)) {
            in_.fail("a script belongs to an unknown stream");
        }
        script.stream = static_cast<Stream>(stream);
        script.pattern = columns_.get_pattern();
        u64 budget = out_.symbols.size();
        script.symbols = get_items(in_, out_.symbols.size(), budget);
        if (script.symbols.size() != out_.patterns[script.pattern].leaf_count) {
            in_.fail("a script does not fit its pattern");
        }
        for (const u32 symbol : script.symbols) {
            if (out_.symbol_streams[symbol] != script.stream) {
                in_.fail("a script has a symbol of another stream");
            }
        }
        out_.scripts.push_back(std::move(script));
    }

    void get_counts(const Script& script) {
        const u64 nodes = out_.patterns[script.pattern].node_count();
        std::vector<Assignment> counts(nodes);
        const u64 listed = in_.get_count(2);
        u64 node = 0;
        for (u64 i = 0; i < listed; ++i) {
            const u64 gap = in_.get_varint();
            if (gap >= nodes - node) in_.fail("a count belongs to no node");
            node += gap;
            counts[node++] = get_assignment();
        }
        out_.script_counts.push_back(std::move(counts));
    }

    void get_slots(std::size_t symbol) {
        std::vector<Assignment> assignments;
        for (const Slot& slot : slots_of(out_.symbol_streams[symbol], out_.symbols[symbol])) {
            u64 peers = 0;
            if (slot.kind == FieldKind::peer) peers = in_.get_varint();
            if (peers >= kPeerEncodings) in_.fail("a peer has an unknown encoding");
            assignments.push_back(get_assignment());
            assignments.back().peers = static_cast<PeerEncoding>(peers);
        }
        out_.slots.push_back(std::move(assignments));
    }

    Assignment get_assignment() {
        Assignment assignment;
        const u64 token = in_.get_varint();
        if (token == kNewColumn) {
            assignment.columns.push_back(columns_.get_new_column());
        } else if (token >= kKnownColumn) {
            assignment.columns.push_back(columns_.known_column(token - kKnownColumn));
        } else {
            assignment.by_participant = columns_.get_column();
            const u64 classes = token == kClasses ? in_.get_count(1) : 0;
            if (token == kClasses && classes == 0) in_.fail("an argument has no column");
            for (u64 i = 0; i < classes; ++i) assignment.columns.push_back(columns_.get_column());
        }
        return assignment;
    }

    ByteReader in_;
    u64 max_nodes_;
    Structure out_;
    ColumnReader columns_;
};

}  // namespace

std::string encode_structure(const Structure& structure) {
    return StructureWriter(structure).run();
}

Structure decode_structure(std::string_view bytes, const std::string& name) {
    return StructureReader(bytes, name).run();
}

}  // namespace tracefold
