// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/path_cursor.hpp"

#include <algorithm>

namespace tracefold {

PathCursor::PathCursor(TraceFile& file, u32 location, u32 number, CallTree& tree)
    : stream_(file, location, Times::skip),
      recipes_(file, stream_.tables()),
      number_(number),
      tree_(tree) {}

u32 PathCursor::next() {
    using Kind = ElementRecipe::Kind;
    while (record_ < stream_.records().size() || next_symbol()) {
        const std::size_t record = record_++;
        const RecordBatch::Head& head = stream_.records()[record];
        if (head.type == static_cast<u8>(EventType::ProgramBegin)) {
            enter(CallTree::Kind::program,
                  stream_.tables().global(FieldKind::string, stream_.records().values(head)[0]));
            continue;
        }
        const ElementRecipe& element =
            recipes_[stream_.symbol_id()].elements[stream_.element_number(record)];
        if (element.kind == Kind::leave) leave(element.region);
        if (element.kind != Kind::enter) continue;
        enter(CallTree::Kind::region, element.region);
        if (!element.is_mpi || mpi_depth_ != 0) continue;
        mpi_depth_ = stack_.size();
        return stack_.back();
    }
    return kNone;
}

bool PathCursor::next_symbol() {
    record_ = 0;
    return stream_.next();
}

void PathCursor::enter(CallTree::Kind kind, u64 ref) {
    stack_.push_back(tree_.add(here(), kind, ref, CallTree::call_order(number_, tree_.size())));
}

/// Within an MPI call only regions that it called can be left, as RankProgram has it.
void PathCursor::leave(u32 region) {
    const auto bottom = stack_.begin() + static_cast<std::ptrdiff_t>(
                                             mpi_depth_ == 0 ? std::size_t{0} : mpi_depth_ - 1);
    const auto rend = std::make_reverse_iterator(bottom);
    const auto found = std::find_if(stack_.rbegin(), rend, [&](u32 node) {
        return tree_[node].kind == CallTree::Kind::region && tree_[node].ref == region;
    });
    if (found == rend) return;
    stack_.erase(found.base() - 1, stack_.end());
    if (stack_.size() < mpi_depth_) mpi_depth_ = 0;
}

}  // namespace tracefold
