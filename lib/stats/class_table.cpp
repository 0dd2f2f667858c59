// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/class_table.hpp"

#include "comm/reduction_tree.hpp"
#include "format/participants_codec.hpp"

namespace tracefold::inline stats {

void ClassTable::reduce(Communicator& comm, int fanout) {
    const auto serialise = [](ClassTable& mine) {
        ByteWriter out;
        out.put_varint(mine.sets_.size());
        for (const auto& [key, locations] : mine.sets_) {
            out.put_text(key);
            put_participants(out, locations);
        }
        return out.take();
    };
    const auto merge_bytes = [](ClassTable& mine, std::string_view bytes) { mine.merge(bytes); };
    reduce_tree(comm, *this, serialise, merge_bytes, fanout);
}

void ClassTable::merge(std::string_view bytes) {
    ByteReader in(bytes, "classes of another process");
    for (u64 left = in.get_count(2); left > 0; --left) {
        const std::string key(in.get_text());
        sets_[key].unite(get_participants(in));
    }
    in.expect_end();
}

std::string sequence_key(const std::vector<ContentHash>& sequence) {
    ByteWriter out;
    for (std::size_t begin = 0; begin < sequence.size();) {
        std::size_t end = begin + 1;
        while (end < sequence.size() && sequence[end] == sequence[begin]) ++end;
        out.put_varint(end - begin);
        out.put_u64le(sequence[begin].low);
        out.put_u64le(sequence[begin].high);
        begin = end;
    }
    return out.take();
}

std::vector<ContentHash> sequence_of(std::string_view key) {
    ByteReader in(key, "a sequence of classes");
    std::vector<ContentHash> sequence;
    while (in.remaining() > 0) {
        const u64 count = in.get_varint();
        const u64 low = in.get_u64le();
        sequence.insert(sequence.end(), count, {low, in.get_u64le()});
    }
    return sequence;
}

}  // namespace tracefold::inline stats
