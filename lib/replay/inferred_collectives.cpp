// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/inferred_collectives.hpp"

#include "fold/structure_pool.hpp"
#include "format/column_codec.hpp"
#include "io/bytes.hpp"

namespace tracefold {

namespace {

constexpr u64 kHasSize = 1;
constexpr u64 kHasRoot = 2;

bool is_lost(const Action& action) {
    return action.unrecorded && action.kind != Action::Kind::complete_collective &&
           action.part.comm == kNone;
}

}  // namespace

void InferredCollectives::add(const Action& action) {
    const CollectivePart& part = action.part;
    const u64 facts = (action.has_size ? kHasSize : 0) | (action.has_root ? kHasRoot : 0);
    const u64 values[kColumns] = {part.comm, part.root, part.sent, part.received, facts};
    for (std::size_t i = 0; i < kColumns; ++i) columns_[i].push(values[i]);
    ++count_;
}

std::string InferredCollectives::pack() {
    if (empty()) return {};
    StructurePool pool;
    u32 ids[kColumns];
    for (std::size_t i = 0; i < kColumns; ++i) ids[i] = columns_[i].finish(pool);
    ByteWriter out;
    out.put_varint(count_);
    ColumnWriter columns(out, pool.patterns(), pool.columns());
    for (const u32 id : ids) columns.put_column(id);
    return out.take();
}

InferredCollectives::Cursor::Cursor(const std::string& bytes) {
    if (bytes.empty()) return;
    FieldReader in(bytes, "the inferred collectives of a trace");
    columns_ = std::make_unique<Columns>();
    left_ = in.get_varint();
    ColumnReader reader(in, columns_->patterns, columns_->columns);
    u32 ids[kColumns];
    for (u32& id : ids) id = reader.get_column();
    in.expect_end();
    for (const u32 id : ids) {
        cursors_.emplace_back(FoldedSource{columns_->patterns, columns_->columns}, id);
    }
}

void InferredCollectives::Cursor::apply(std::vector<Action>& actions) {
    if (left_ == 0 && posted_.empty()) return;
    for (Action& action : actions) {
        if (action.unrecorded) explain(action);
    }
    std::erase_if(actions, is_lost);
}

void InferredCollectives::Cursor::explain(Action& action) {
    if (action.kind == Action::Kind::complete_collective) {
        const auto posted = posted_.find(action.request);
        if (posted == posted_.end()) return;
        action.part = posted->second;
        posted_.erase(posted);
        return;
    }
    if (left_ == 0) return;
    --left_;
    u64 values[kColumns];
    for (std::size_t i = 0; i < kColumns; ++i) values[i] = cursors_[i].next();
    action.part.comm = values[0];
    action.part.root = static_cast<u32>(values[1]);
    action.part.sent = values[2];
    action.part.received = values[3];
    action.has_size = (values[4] & kHasSize) != 0;
    action.has_root = (values[4] & kHasRoot) != 0;
    if (action.kind == Action::Kind::post_collective) posted_[action.request] = action.part;
}

}  // namespace tracefold
