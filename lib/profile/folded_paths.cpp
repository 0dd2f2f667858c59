// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "profile/folded_paths.hpp"

#include "query/call_names.hpp"
#include "query/io_tracker.hpp"
#include "query/thread_forks.hpp"
#include "trace/pattern_walk.hpp"

namespace tracefold {

namespace {

bool is(const Element& element, EventType type) { return element.type == static_cast<u8>(type); }

}  // namespace

FoldedPaths::FoldedPaths(TraceFile& file, u32 script, u64 program, bool on_stream)
    : file_(file),
      script_(file.structure().scripts[script]),
      counts_(file.structure().script_counts[script]),
      pattern_(file.structure().patterns[script_.pattern]),
      program_(program),
      at_(tree_, nullptr, on_stream),
      places_(pattern_.leaf_count) {
    for (u32 leaf = 0; leaf < pattern_.leaf_count; ++leaf) {
        const Symbol& symbol = file.structure().symbols[script_.symbols[leaf]];
        places_[leaf].resize(symbol.elements.size());
    }
    known_.resize(pattern_.leaf_count);
    complete_ = walk_places(pattern_, *this);
}

bool FoldedPaths::leaf(u32 leaf) {
    const std::vector<Element>& elements =
        file_.structure().symbols[script_.symbols[leaf]].elements;
    const u32 entry = at_.here();
    const bool first = !known_[leaf];
    known_[leaf] = true;
    for (u32 i = 0; i < elements.size(); ++i) {
        u32 node = at_.here();
        if (!take_element(elements[i], node)) return false;
        Place& place = places_[leaf][i];
        if (first) {
            place.node = node;
        } else if (place.node != node) {
            place.several = true;
        }
        if (elements[i].type == kCompletions) note(completions_, node);
    }
    // As often as it is repeated, it enters a region more.
    return at_.here() == entry || counts_[leaf].is_always_one();
}

void FoldedPaths::note(Place& place, u32 node) {
    place.several = place.several || (place.node != kNone && place.node != node);
    place.node = node;
}

bool FoldedPaths::take_element(const Element& element, u32& node) {
    if (is_enter(element.type) || is_leave(element.type)) {
        const std::optional<u64> region = region_of(element);
        if (!region) return false;
        if (is_leave(element.type)) {
            at_.leave(*region);
        } else {
            const bool is_mpi = is_mpi_function(file_.definitions(), *region);
            at_.enter(CallTree::Kind::region, *region, tree_.size(), is_mpi);
            node = at_.here();
        }
    } else if (is(element, EventType::ProgramBegin)) {
        at_.enter(CallTree::Kind::program, program_, tree_.size());
        node = at_.here();
    } else if (is(element, EventType::ProgramEnd)) {
        at_.clear();
    } else if (is(element, EventType::BufferFlush) || is(element, EventType::MeasurementOnOff) ||
               completes_io(element.type) || changes_thread_place(element.type) ||
               changes_task(element.type)) {
        return false;
    }
    return true;
}

std::optional<u64> FoldedPaths::region_of(const Element& element) const {
    // Odd: an id that only its location knows.
    if ((element.context & 1U) != 0) return std::nullopt;
    const FieldKind kind = event_info(element.type).fields[0].kind;
    return file_.definitions().region_of(kind, element.context >> 1U);
}

}  // namespace tracefold
