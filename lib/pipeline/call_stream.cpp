// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "pipeline/call_stream.hpp"

#include "core/error.hpp"
#include "mpi_calls/call_encoder.hpp"
#include "mpi_calls/completion_kinds.hpp"

namespace tracefold {

CallStream::CallStream(TraceFile& file, u32 location)
    : file_(file),
      location_(location),
      tables_(file.mapping_tables(location)),
      cursor_(file.index(), Stream::events, location),
      decoder_(file.definitions(), tables_, file.definitions().locations()[location],
               file.structure()),
      late_codec_(file.definitions(), tables_, file.definitions().locations()[location]),
      ticks_(file, location),
      left_(file.index().facts(location).events) {}

bool CallStream::next() {
    records_.clear();
    posted_.clear();
    groups_.clear();
    elements_.clear();
    if (!cursor_.next(symbol_, values_)) {
        if (left_ != 0) wrong_count();
        ticks_.expect_end();
        return false;
    }
    decoder_.decode(symbol_, values_, records_, &groups_);
    if (records_.empty() || records_.size() > left_) wrong_count();
    left_ -= records_.size();
    ticks_.stamp(records_, groups_);
    read_elements();
    return true;
}

/// Walks slots and values side by side to find which element every record is of, and what records
/// that post a request will get.
void CallStream::read_elements() {
    const std::vector<Slot>& slots = file_.index().slots(symbol_);
    const std::vector<Element>& elements = symbol().elements;
    std::size_t position = 0;
    u32 slot = 0;
    for (u16 element = 0; element < elements.size(); ++element) {
        const std::size_t record = elements_.size();
        u64 records = 1;
        u64 repeat = 0;
        bool posts = false;
        for (; slot < slots.size() && slots[slot].element == element; ++slot) {
            if (slots[slot].late && !posts) {
                posts = true;
                add_posted(record, elements[element].type, slot, position);
            }
            if (slots[slot].shape == SlotShape::count) repeat = values_[position];
            position += slots[slot].shape == SlotShape::each ? repeat : 1;
        }
        if (elements[element].type == kCompletions) records = repeat;
        elements_.insert(elements_.end(), records, element);
    }
}

void CallStream::add_posted(std::size_t record, u8 type, u32 first_slot, std::size_t first_value) {
    const PostingKind& kind = *posting_kind(type);
    Posted posted{record, static_cast<u8>(kind.completion), true, {}};
    std::vector<u64> late(
        values_.begin() + static_cast<std::ptrdiff_t>(first_value),
        values_.begin() + static_cast<std::ptrdiff_t>(first_value + kind.late_values));
    posted.completes = late[1] != kNeverCompleted;
    if (posted.completes) {
        const PeerFields& peers = peer_fields(posted.completion);
        if (peers.exist()) {
            const PeerEncoding encoding =
                file_.structure().slots[symbol_][first_slot + peers.peer].peers;
            const RankView& view = late_codec_.views().of_scope(peers, late[peers.scope]);
            late[peers.peer] = relative_peer(late[peers.peer], encoding, view.rank, view.size);
        }
        late_codec_.decode(posted.completion, {}, late, kind.late_values, posted.fields);
    }
    posted_.push_back(std::move(posted));
}

void CallStream::wrong_count() const {
    throw Error(ErrorKind::corrupt, file_.container().path() + ": location " +
                                        std::to_string(location_) +
                                        " does not unwind to as many records as it should have");
}

}  // namespace tracefold
