// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/timeline/trace_view.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/parallel.hpp"
#include "file/location_blocks.hpp"
#include "model/mpi_function.hpp"
#include "questions/calls/tick_window.hpp"
#include "questions/system/system_tree.hpp"

#include <algorithm>
#include <cctype>
#include <exception>
#include <iterator>
#include <limits>
#include <map>

namespace tracefold {

namespace {

/// Stops the thread that builds lanes ahead; caught inside.
struct ViewEnds {};

/// Approximate bytes of lanes per message to other processes.
constexpr std::size_t kParcelBytes = std::size_t{4} << 20U;

std::string lower_case(std::string text) {
    for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return text;
}

/// Numbers places by first appearance.
class PlaceNumbers {
  public:
    u32 of(const std::string& name) {
        const auto [place, added] = numbers_.emplace(name, static_cast<u32>(names_.size()));
        if (added) names_.push_back(name);
        return place->second;
    }
    std::vector<std::string> take() { return std::move(names_); }

  private:
    std::map<std::string, u32> numbers_;
    std::vector<std::string> names_;
};

}  // namespace

ViewRows view_rows(TraceFile& file, const ParticipantNames& names) {
    const RankGroups nodes = rank_groups(file, names, GroupBy::node);
    ViewRows result;
    PlaceNumbers places;
    std::map<u32, u32> classes;  // by script
    for (u32 location = 0; location < file.location_count(); ++location) {
        const u32 script = file.index().script(Stream::events, location);
        const LocationDefinition& definition = file.definitions().locations()[location];
        if (script == kNone || definition.is_metric()) continue;
        const u32 rank = names.place(location).rank;
        ViewRow row{location, names.label(location), rank, 0, 0, definition.is_stream()};
        const std::string& process =
            file.definitions().location_group_name(file.definitions().process_group(definition));
        row.node = places.of(rank != kNone && rank < nodes.group_of.size()
                                 ? nodes.labels[nodes.group_of[rank]]
                                 : (process.empty() ? "locations without a rank" : process));
        row.rank_class = classes.emplace(script, static_cast<u32>(classes.size())).first->second;
        result.rows.push_back(std::move(row));
    }
    std::stable_sort(result.rows.begin(), result.rows.end(),
                     [](const ViewRow& a, const ViewRow& b) { return a.rank < b.rank; });
    result.nodes = places.take();
    result.classes = static_cast<u32>(classes.size());
    return result;
}

TraceView::TraceView(std::unique_ptr<TraceFile> file, std::size_t lane_bytes)
    : TraceView(std::move(file), nullptr, nullptr, lane_bytes) {}

TraceView::TraceView(TraceFile& file, FoundSteps& steps, std::size_t lane_bytes)
    : TraceView(nullptr, &file, &steps, lane_bytes) {}

TraceView::TraceView(std::unique_ptr<TraceFile> own, TraceFile* file, FoundSteps* steps,
                     std::size_t lane_bytes)
    : own_file_(std::move(own)),
      file_(file == nullptr ? *own_file_ : *file),
      regions_(file_),
      names_(file_.definitions()),
      clock_(common_clock(file_)),
      rows_(view_rows(file_, names_)),
      row_of_(file_.location_count(), kNone),
      lanes_(lane_bytes),
      symbol_names_(file_.structure().symbols.size()),
      listing_(file_) {
    if (steps == nullptr) steps = &own_steps_.emplace(file_);
    iterations_.emplace(file_, listing_, *steps);
    for (u32 row = 0; row < rows_.rows.size(); ++row) row_of_[rows_.rows[row].location] = row;
}

TraceView::~TraceView() {
    {
        const std::lock_guard lock(wanted_mutex_);
        ending_ = true;
    }
    changed_.notify_all();
    if (ahead_.joinable()) ahead_.join();
}

void TraceView::make_ahead() {
    if (!ahead_.joinable()) ahead_ = try_start_thread([this] { work_ahead(); });
}

std::shared_ptr<const Lane> TraceView::made(u32 location) {
    std::shared_ptr<const Lane> lane = make_lane(file_, regions_, clock_, location);
    note_end(lane->end());
    return lane;
}

void TraceView::note_end(u64 end) {
    u64 known = end_;
    while (end > known && !end_.compare_exchange_weak(known, end)) {
    }
}

std::vector<u32> TraceView::locations_of_rows() const {
    std::vector<u32> locations;
    for (const ViewRow& row : rows_.rows) locations.push_back(row.location);
    return locations;
}

void TraceView::find_end(Communicator& comm, u32 threads) {
    const std::vector<u32> block =
        location_block(definitions().locations(), comm.rank(), comm.size());
    std::vector<u32> own;
    for (const u32 location : locations_of_rows()) {
        if (std::ranges::binary_search(block, location)) own.push_back(location);
    }
    std::vector<std::shared_ptr<const Lane>> lanes(own.size());
    agree(comm, [&] {
        run_each(threads, own.size(), [&](std::size_t i) { lanes[i] = lane_or_end(own[i]); });
    });
    if (comm.size() == 1) return;
    std::erase(lanes, nullptr);
    note_end(std::ranges::max(comm.all_gather(end_)));
    for (int from = 0; from < comm.size(); ++from) share_lanes(comm, from, lanes);
}

/// Null if the lane does not fit.
std::shared_ptr<const Lane> TraceView::lane_or_end(u32 location) {
    std::shared_ptr<const Lane> lane =
        lanes_.get_if_room(location, [this](u32 at) { return made(at); });
    if (!lane) note_end(lane_end(file_, regions_, clock_, location));
    return lane;
}

/// Sends the lanes of process `from` to all others; `lanes`: of this process.
void TraceView::share_lanes(Communicator& comm, int from,
                            const std::vector<std::shared_ptr<const Lane>>& lanes) {
    const bool sends = comm.rank() == from;
    std::size_t next = 0;
    for (bool more = true; more;) {
        ByteWriter out;
        ValueWriter write(out);
        while (sends && next < lanes.size() && out.size() < kParcelBytes) write(*lanes[next++]);
        const std::string parcel = comm.broadcast(out.take(), from);
        more = !parcel.empty();
        ByteReader in(parcel, "the lanes of a process");
        ValueReader read(in);
        while (!sends && in.remaining() != 0) {
            auto lane = std::make_shared<Lane>();
            read(*lane);
            lanes_.take(lane);
        }
    }
}

std::shared_ptr<const Lane> TraceView::lane(u32 row) {
    cancel_point();
    // Whoever looks at the next window needs the lane, so it is built to its end.
    const Cancellable whole([] {});
    return lanes_.get(rows_.rows[row].location, [this](u32 location) { return made(location); });
}

void TraceView::make_lanes() {
    for (const ViewRow& row : rows_.rows) {
        if (!lanes_.get_if_room(row.location, [this](u32 at) { return made(at); })) return;
    }
}

void TraceView::expect(const std::vector<u32>& rows) {
    const std::lock_guard lock(wanted_mutex_);
    wanted_.clear();
    // The other thread starts at the opposite end.
    for (auto row = rows.rbegin(); row != rows.rend(); ++row) {
        wanted_.push_back(rows_.rows[*row].location);
    }
    changed_.notify_all();
}

void TraceView::change_pauses(int by) {
    const std::lock_guard lock(wanted_mutex_);
    pauses_ += by;
    changed_.notify_all();
}

void TraceView::work_ahead() {
    try {
        const Cancellable cancel([this] {
            if (ending_) throw ViewEnds();
        });
        const std::vector<u32> all = locations_of_rows();
        while (!ending_ && make_next_ahead(all)) continue;
    } catch (const ViewEnds&) {
    } catch (const std::exception&) {
        // The requesting thread receives the error, also when out of memory.
    }
}

/// Builds a lane, or waits for the end of pauses; false if none is left. `all`: locations of rows.
bool TraceView::make_next_ahead(const std::vector<u32>& all) {
    const auto make = [this](u32 location) { return made(location); };
    std::unique_lock lock(wanted_mutex_);
    const std::vector<u32> wanted = wanted_;
    lock.unlock();
    if (lanes_.make_ahead(wanted, make)) return true;
    lock.lock();
    if (pauses_ != 0) {
        changed_.wait(lock, [&] { return pauses_ == 0 || ending_ || wanted_ != wanted; });
        return true;
    }
    lock.unlock();
    return lanes_.make_ahead(all, make);
}

std::string TraceView::name_of(const LaneSymbol& symbol) {
    const std::lock_guard lock(mutex_);
    std::optional<std::string>& name = symbol_names_[symbol.id];
    if (!name) name = listing_.calls().name(symbol.id);
    return *name;
}

TickWindow TraceView::program_window(const std::vector<u32>& rows) {
    TickWindow init{std::numeric_limits<u64>::max(), 0};
    TickWindow finalize{0, 0};
    TickWindow all{std::numeric_limits<u64>::max(), 0};
    expect(rows);
    for (const u32 row : rows) {
        const std::shared_ptr<const Lane> lane = this->lane(row);
        if (lane->blocks().empty()) continue;
        all = {std::min(all.begin, lane->begin()), std::max(all.end, lane->end())};
        for (const LaneSymbol& symbol : lane->symbols()) {
            const auto info = symbol.use.is_mpi ? find_mpi_function(name_of(symbol)) : std::nullopt;
            if (!info) continue;
            if (info->family == CallFamily::init) init.begin = std::min(init.begin, symbol.begin);
            if (info->family == CallFamily::finalize)
                finalize.end = std::max(finalize.end, symbol.end);
        }
    }
    if (all.begin > all.end) return {};
    return {init.begin < all.end ? init.begin : all.begin,
            finalize.end > all.begin ? finalize.end : all.end};
}

TickWindow TraceView::run_window(const std::vector<u32>& rows) {
    TickWindow run = program_window(rows);
    u64 begin = std::numeric_limits<u64>::max();
    u64 end = 0;
    for (const u32 row : rows) {
        u64 last_init = 0;
        u64 first_finalize = std::numeric_limits<u64>::max();
        for (const LaneSymbol& symbol : lane(row)->symbols()) {
            const auto info = symbol.use.is_mpi ? find_mpi_function(name_of(symbol)) : std::nullopt;
            if (!info) continue;
            if (info->family == CallFamily::init) last_init = std::max(last_init, symbol.end);
            if (info->family == CallFamily::finalize)
                first_finalize = std::min(first_finalize, symbol.begin);
        }
        if (last_init != 0) begin = std::min(begin, last_init);
        if (first_finalize != std::numeric_limits<u64>::max()) end = std::max(end, first_finalize);
    }
    if (begin < run.end) run.begin = begin;
    if (end > run.begin) run.end = end;
    return run;
}

std::map<std::string, TimeUse> TraceView::uses_by_name(const std::vector<u32>& rows) {
    std::map<std::string, TimeUse> uses;
    for (const u32 row : rows) {
        const std::shared_ptr<const Lane> lane = this->lane(row);
        for (const bool to_device : {true, false}) {
            if (lane->on_stream()) uses.emplace(copy_name(to_device), TimeUse::device_copy);
        }
        for (const LaneSymbol& symbol : lane->symbols()) {
            const TimeUse use = symbol.use.use;
            if (symbol.use.kind == CallKind::record || use == TimeUse::computation) continue;
            const auto [known, fresh] = uses.try_emplace(name_of(symbol), use);
            const bool decides = use != TimeUse::other_mpi &&
                                 (known->second == TimeUse::other_mpi || use < known->second);
            if (!fresh && decides) known->second = use;
        }
    }
    return uses;
}

std::vector<bool> TraceView::matches_of(const Lane& lane, const std::string& name) {
    std::vector<bool> matches;
    for (const LaneSymbol& symbol : lane.symbols()) {
        matches.push_back(symbol.use.kind != CallKind::leave &&
                          lower_case(name_of(symbol)).find(name) != std::string::npos);
    }
    return matches;
}

std::optional<FoundCall> TraceView::find_in(const Lane& lane, const CallSearch& search) {
    const std::vector<bool> matches = matches_of(lane, search.name);
    if (lane.blocks().empty() || std::find(matches.begin(), matches.end(), true) == matches.end())
        return std::nullopt;
    std::optional<FoundCall> found;
    std::size_t block = lane.block_at(search.tick);
    for (;;) {
        u64 call = lane.blocks()[block].first_call;
        for (const LaneItem& item : lane.items(block)) {
            const u64 number = call++;
            if (!matches[item.symbol]) continue;
            if (search.backwards ? item.begin >= search.tick : item.begin <= search.tick) continue;
            if (search.least_ticks != 0) {
                u64 ticks = item.end() - item.begin;
                if (lane.symbols()[item.symbol].use.kind == CallKind::enter) {
                    ticks = end_of_scope(lane, number).value_or(item.begin) - item.begin;
                }
                if (ticks < search.least_ticks) continue;
            }
            found = FoundCall{lane.location(), number, item, lane.symbols()[item.symbol].id};
            if (!search.backwards) return found;
        }
        if (found || (search.backwards ? block == 0 : block + 1 == lane.blocks().size()))
            return found;
        search.backwards ? --block : ++block;
    }
}

std::optional<FoundCall> TraceView::find(const std::vector<u32>& rows, const CallSearch& search) {
    CallSearch wanted = search;
    wanted.name = lower_case(search.name);
    std::optional<FoundCall> best;
    for (const u32 row : rows) {
        const std::optional<FoundCall> found = find_in(*lane(row), wanted);
        if (!found) continue;
        const bool nearer = !best || (search.backwards ? found->item.begin > best->item.begin
                                                       : found->item.begin < best->item.begin);
        if (nearer) best = found;
    }
    return best;
}

const LocationSteps* TraceView::steps(u32 location) {
    const std::lock_guard lock(mutex_);
    return iterations_->of(location);
}

}  // namespace tracefold
