// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/path_cursor.hpp"

namespace tracefold {

PathCursor::PathCursor(TraceFile& file, u32 location, u32 number, CallTree& tree)
    : stream_(file, location, Times::skip),
      recipes_(file, stream_.tables()),
      number_(number),
      tree_(tree),
      stack_(tree) {}

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
        if (element.kind == Kind::leave) stack_.leave(element.region);
        if (element.kind != Kind::enter) continue;
        const bool begins_call = element.is_mpi && !stack_.in_mpi_call();
        enter(CallTree::Kind::region, element.region, element.is_mpi);
        if (begins_call) return here();
    }
    return kNone;
}

bool PathCursor::next_symbol() {
    record_ = 0;
    return stream_.next();
}

void PathCursor::enter(CallTree::Kind kind, u64 ref, bool is_mpi) {
    stack_.enter(kind, ref, CallTree::call_order(number_, tree_.size()), is_mpi);
}

}  // namespace tracefold
