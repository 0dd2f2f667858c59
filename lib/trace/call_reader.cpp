// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/call_reader.hpp"

#include "core/cancel_point.hpp"
#include "core/error.hpp"
#include "model/event_table.hpp"
#include "model/record_kinds.hpp"
#include "trace/region_stack.hpp"

namespace tracefold {

namespace {

constexpr u32 kCallsBetweenCancelPoints = (1U << 14U) - 1;

}  // namespace

CallReader::CallReader(TraceFile& file, u32 location, Times times)
    : file_(file),
      location_(location),
      tables_(file.mapping_tables(location)),
      cursor_(file.index(), Stream::events, location),
      decoder_(file.definitions(), tables_, file.definitions().locations()[location],
               file.structure(), file.index().facts(location).has_restarts != 0),
      left_(file.index().facts(location).events) {
    if (times != Times::skip) ticks_.emplace(file, location, times);
}

bool CallReader::next() {
    records_.clear();
    posted_.clear();
    groups_.clear();
    if (!append(records_, &posted_)) {
        expect_end();
        return false;
    }
    first_group_ = decoder_.first_group(symbol_);
    if (ticks_) ticks_->stamp(records_, groups_, decoder_.places());
    return true;
}

bool CallReader::next(RecordBatch& batch) {
    batch.clear();
    groups_.clear();
    while (!is_full(batch) && append(batch, nullptr)) {
    }
    if (batch.empty()) {
        expect_end();
        return false;
    }
    if (ticks_) ticks_->stamp(batch, groups_, decoder_.places());
    return true;
}

/// Reads the next call, without its times; false at the end.
bool CallReader::append(RecordBatch& batch, std::vector<Posted>* posted) {
    if (!cursor_.next(symbol_, values_)) return false;
    if ((++calls_ & kCallsBetweenCancelPoints) == 0) cancel_point();
    const std::size_t before = batch.size();
    decoder_.decode(symbol_, values_, batch, &groups_, posted);
    const std::size_t records = batch.size() - before;
    // Any number of calls without records would fit into a loop.
    if (records == 0) throw Error(ErrorKind::corrupt, "a call has no records");
    if (records > left_) wrong_count(true);
    left_ -= records;
    return true;
}

void CallReader::expect_end() const {
    if (left_ != 0) wrong_count(false);
    if (ticks_) ticks_->expect_end();
}

void CallReader::find_regions() {
    regions_.resize(file_.structure().symbols.size());
    for (const Element& element : symbol().elements) {
        Region& region = regions_[symbol_].emplace_back();
        if (!is_enter(element.type) && !is_leave(element.type)) continue;
        const FieldKind kind = event_info(element.type).fields[0].kind;
        const DefinitionIndex& definitions = file_.definitions();
        region.id = definitions.region_of(kind, tables_.global_of_code(kind, element.context));
        region.is_mpi = is_mpi_function(definitions, region.id);
    }
}

void CallReader::watch() {
    watched_.clear();
    cursor_.save(watched_);
    decoder_.watch();
}

CallReader::Cycle CallReader::cycle() {
    const std::optional<u64> step = decoder_.request_step();
    now_.clear();
    if (!step) return {};
    cursor_.save(now_);
    return {now_.repeats_since(watched_), *step};
}

void CallReader::leave_out(const Cycle& cycle, u64 records) {
    if (records != 0 && cycle.times > left_ / records) wrong_count(true);
    left_ -= cycle.times * records;
    now_.go_on(watched_, cycle.times);
    cursor_.restore(now_);
    decoder_.go_on(cycle.times);
}

void CallReader::wrong_count(bool more) const {
    const u64 expected = file_.index().facts(location_).events;
    throw Error(ErrorKind::corrupt, "{}: location {} should have {} records, but unwinds to {}",
                file_.container().path(), location_, expected,
                more ? "more" : std::to_string(expected - left_));
}

}  // namespace tracefold
