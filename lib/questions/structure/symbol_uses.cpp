// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/structure/symbol_uses.hpp"

#include "model/mpi_function.hpp"
#include "model/record_kinds.hpp"

namespace tracefold {

namespace {

/// Some recorders write only the region name of a collective.
bool is_named_collective(std::string_view region) {
    const auto info = find_mpi_function(region);
    return info && (is_collective(info->family) || info->family == CallFamily::neighbour);
}

/// True for functions of program start and end: their time is not that of the collective operations
/// that recorders write within them.
bool is_set_up(std::string_view region) {
    return is_of_family(region, CallFamily::init) || is_of_family(region, CallFamily::finalize);
}

/// The use of an MPI call, from its records.
TimeUse use_of(const Symbol& symbol) {
    TimeUse use = TimeUse::other_mpi;
    for (const Element& element : symbol.elements) {
        if (element.type == kCompletions) return TimeUse::point_to_point;
        const RecordKind kind = record_kind(element.type);
        if (kind == RecordKind::collectives) return TimeUse::collective;
        if (kind == RecordKind::messages) return TimeUse::point_to_point;
        if (kind == RecordKind::rma) use = TimeUse::one_sided;
    }
    return use;
}

}  // namespace

SymbolUses::SymbolUses(TraceFile& file, const RegionUses& regions, u32 location)
    : file_(file),
      regions_(regions),
      on_stream_(file.definitions().locations()[location].is_stream()),
      uses_(file.structure().symbols.size()) {}

SymbolUse SymbolUses::summarise(CallReader& calls) const {
    SymbolUse found;
    found.kind = call_kind(calls.symbol());
    found.record = calls.records()[0].type;
    found.number = calls.symbol_id();
    if (found.kind == CallKind::record) return found;
    const CallReader::Region region = calls.recorded_region(0);
    found.region = region.id;
    found.is_mpi = region.is_mpi;
    if (found.kind != CallKind::leave) found.use = use_of_region(region.id, calls.symbol());
    return found;
}

/// The use of a call on a location that does not simply nest.
const SymbolUse& SymbolUses::variant(CallReader& calls) {
    const SymbolUse& plain = *uses_[calls.symbol_id()];
    SymbolUse use = plain;
    const RecordSpan records = calls.records();
    if (records.size() == 1) {
        pair(use, calls, 0);
    } else if (calls.changes_task()) {
        for (std::size_t i = 0; i < records.size(); ++i) {
            const bool is_region = is_enter(records[i].type) || is_leave(records[i].type);
            if (!is_region && calls.task_change(i) == nullptr) continue;
            SymbolUse& step = use.steps.emplace_back();
            if (is_region) step = plain;
            step.kind = is_enter(records[i].type)   ? CallKind::enter
                        : is_leave(records[i].type) ? CallKind::leave
                                                    : CallKind::record;
            step.place = static_cast<u32>(i);
            pair(step, calls, i);
        }
    }
    if (use == plain) return plain;
    const auto [found, fresh] = variants_.try_emplace(use, use);
    if (fresh) found->second.number = static_cast<u32>(uses_.size() + variants_.size() - 1);
    return found->second;
}

/// Sets the region that a Leave ends, or the task that runs after the record.
void SymbolUses::pair(SymbolUse& use, CallReader& calls, std::size_t record) {
    if (use.kind == CallKind::leave) {
        use.region = calls.region(record).id;
        if (use.region != kNoRegion) return;
        use.kind = CallKind::record;
        use.region = 0;
    } else if (const TaskChange* const change = calls.task_change(record)) {
        use.task = change->to_task ? SymbolUse::Task::other : SymbolUse::Task::implicit;
        for (const OpenVisit& visit : change->resumed) {
            use.resumed.push_back(resumed_region(visit, calls));
        }
    }
}

ResumedRegion SymbolUses::resumed_region(const OpenVisit& visit, const CallReader& calls) {
    if (entering_.empty()) {
        const Structure& structure = file_.structure();
        for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
            if (structure.symbol_streams[symbol] != Stream::events) continue;
            const std::vector<Element>& elements = structure.symbols[symbol].elements;
            if (elements.empty() || !is_enter(elements.front().type)) continue;
            const FieldKind kind = event_info(elements.front().type).fields[0].kind;
            const u64 id = calls.tables().global_of_code(kind, elements.front().context);
            entering_.emplace(file_.definitions().region_of(kind, id), symbol);
        }
    }
    const auto found = entering_.find(visit.region);
    const u32 symbol = found == entering_.end() ? calls.symbol_id() : found->second;
    return {visit.region, symbol, visit.is_mpi,
            use_of_region(visit.region, file_.structure().symbols[symbol])};
}

TimeUse SymbolUses::use_of_region(u64 region, const Symbol& symbol) const {
    if (!file_.definitions().is_mpi_region(region)) return use_outside_mpi(region);
    const std::string& name = file_.definitions().region_name(region);
    if (is_set_up(name)) return TimeUse::other_mpi;
    if (regions_.files.is_io_call(region)) return TimeUse::file_io;
    return is_named_collective(name) ? TimeUse::collective : use_of(symbol);
}

TimeUse SymbolUses::use_outside_mpi(u64 region) const {
    const TimeUse use = time_use_of(file_.definitions().accelerator_use(region, on_stream_));
    if (use != TimeUse::computation) return use;
    if (regions_.threads.use(region) != ThreadUse::work) return TimeUse::thread_wait;
    return regions_.files.is_io_call(region) ? TimeUse::file_io : TimeUse::computation;
}

}  // namespace tracefold
