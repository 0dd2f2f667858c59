// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "file/tick_source.hpp"

#include "base/error.hpp"
#include "base/hash.hpp"
#include "base/types.hpp"
#include "file/duration_collector.hpp"
#include "file/trace_file.hpp"

#include <algorithm>
#include <utility>

namespace tracefold {

namespace {

/// Marks ticks beyond 16 bits: two or four numbers follow, lowest first.
constexpr u16 kTwoFollow = 0xFFFE;
constexpr u16 kFourFollow = 0xFFFF;

std::size_t numbers_of(u64 tick) {
    if (tick < kTwoFollow) return 1;
    return tick >> 32U == 0 ? 3 : 5;
}

void append(u64 tick, std::vector<u16>& to) {
    const std::size_t numbers = numbers_of(tick);
    if (numbers == 1) return to.push_back(static_cast<u16>(tick));
    to.push_back(numbers == 3 ? kTwoFollow : kFourFollow);
    for (std::size_t i = 1; i < numbers; ++i, tick >>= 16U) to.push_back(static_cast<u16>(tick));
}

/// Initial reservation of a location: a few ticks may take more than one number.
std::size_t room_for(u64 records) { return records + records / 16 + 64; }

}  // namespace

void DecodedTicks::Reader::next(std::span<u64> ticks) {
    const u16* from = ticks_->data() + at_;
    for (u64& tick : ticks) {
        tick = *from++;
        if (tick < kTwoFollow) continue;
        const std::size_t following = tick == kTwoFollow ? 2 : 4;
        tick = 0;
        for (std::size_t i = 0; i < following; ++i) tick |= u64{*from++} << (16 * i);
    }
    at_ = static_cast<std::size_t>(from - ticks_->data());
}

DecodedTicks::Writer::Writer(DecodedTicks& store, u32 location, u64 records)
    : store_(store), location_(location), missing_(records), room_(room_for(records)) {
    ticks_.reserve(room_);
}

DecodedTicks::Writer::~Writer() {
    const std::scoped_lock lock(store_.mutex_);
    const auto place = store_.ticks_.find(location_);
    if (place->second) return;
    store_.ticks_.erase(place);
    store_.left_ += room_;
}

/// Reserves more space for long ticks.
bool DecodedTicks::Writer::has_room(std::size_t numbers) {
    if (numbers <= room_ - ticks_.size()) return true;
    const std::size_t more = std::max(numbers, room_ / 4);
    if (!store_.take(more)) return false;
    room_ += more;
    ticks_.reserve(room_);
    return true;
}

/// Ticks beyond the limit stay missing at the end, so none are published.
void DecodedTicks::Writer::add(std::span<const u64> ticks) {
    std::size_t numbers = 0;
    for (const u64 tick : ticks) numbers += numbers_of(tick);
    if (ticks.size() > missing_ || !has_room(numbers)) return;
    for (const u64 tick : ticks) append(tick, ticks_);
    missing_ -= ticks.size();
}

void DecodedTicks::Writer::finish() {
    if (missing_ != 0) return;
    ticks_.shrink_to_fit();
    const std::scoped_lock lock(store_.mutex_);
    std::shared_ptr<const std::vector<u16>>& kept = store_.ticks_[location_];
    if (kept) return;
    store_.left_ += room_ - ticks_.size();
    kept = std::make_shared<const std::vector<u16>>(std::move(ticks_));
}

DecodedTicks::Reader DecodedTicks::reader(u32 location) {
    const std::scoped_lock lock(mutex_);
    const auto found = ticks_.find(location);
    return found == ticks_.end() ? Reader() : Reader(found->second);
}

std::unique_ptr<DecodedTicks::Writer> DecodedTicks::writer(u32 location, u64 records) {
    const std::scoped_lock lock(mutex_);
    if (records > left_ || room_for(records) > left_) return nullptr;
    if (!ticks_.try_emplace(location).second) return nullptr;
    left_ -= room_for(records);
    return std::make_unique<Writer>(*this, location, records);
}

bool DecodedTicks::take(std::size_t numbers) {
    const std::scoped_lock lock(mutex_);
    if (numbers > left_) return false;
    left_ -= numbers;
    return true;
}

namespace {

/// value * numerator / denominator; value if the denominator is 0.
u64 scaled(u64 value, u64 numerator, u64 denominator) {
    if (denominator == 0) return value;
    return static_cast<u64>(static_cast<u128>(value) * numerator / denominator);
}

}  // namespace

ModelClock::ModelClock(const TimingModel& model, u32 location, std::size_t symbols, Times times)
    : steps_(symbols),
      edges_(symbols),
      times_(times),
      random_(mix(times.seed) + kGolden * location) {
    for (const TimingModel::Node& node : model.nodes) {
        const u64 mine = chosen(node.durations, location);
        for (const TimingModel::Step& step : node.steps) {
            const u64 mean = step.count == 0 ? 0 : step.sum / step.count;
            steps_[node.symbol].push_back(scaled(mean, mine, node.durations.all.mean()));
        }
    }
    for (const TimingModel::Edge& edge : model.edges) {
        edges_[edge.to].push_back(
            {edge.from, chosen(edge.durations, location), &edge.durations.all});
    }
}

u64 ModelClock::chosen(const Durations& durations, u32 location) const {
    if (times_.kind == Times::least) return durations.all.min();
    return times_.kind == Times::most ? durations.all.max() : mean_of(durations, location);
}

u64 ModelClock::duration(const Edge& edge) {
    if (times_.kind != Times::sample || edge.all->count() == 0) return edge.mean;
    // SplitMix64 (Steele, Lea, Flood: OOPSLA 2014).
    random_ += kGolden;
    const u64 drawn = edge.all->at(mix(random_) % edge.all->count());
    return scaled(drawn, edge.mean, edge.all->mean());
}

u64 ModelClock::next(RecordPlace place) {
    const auto refuse = [] {
        throw Error(ErrorKind::corrupt, "the durations do not fit the script");
    };
    if (place.element != 0) {
        const std::vector<u64>& steps = steps_[place.symbol];
        if (place.element >= steps.size()) refuse();
        return steps[place.element];
    }
    const u32 from = std::exchange(symbol_, place.symbol);
    std::vector<Edge>& edges = edges_[place.symbol];
    for (Edge& edge : edges) {
        if (edge.from != from) continue;
        std::swap(edge, edges.front());
        return duration(edges.front());
    }
    if (from != kNone) refuse();
    return 0;
}

TickSource::TickSource(TraceFile& file, u32 location, Times times) {
    if (keeps_every_time(file.summary().timing) && times.kind == Times::read) {
        read_times(file, location);
    } else {
        make_times(file, location, times);
    }
}

void TickSource::read_times(TraceFile& file, u32 location) {
    const bool exact = file.summary().timing == TimingLevel::exact;
    DecodedTicks* decoded = exact ? file.decoded_ticks() : nullptr;
    if (decoded != nullptr) kept_ = decoded->reader(location);
    if (kept_.has_ticks()) return;
    const Section* section = file.container().find(SectionKind::ticks, location);
    if (section != nullptr) bytes_ = file.container().content(*section);
    const std::string name =
        "section ticks (location " + std::to_string(location) + ") of " + file.container().path();
    const TickCoding coding =
        file.container().is_portable() ? TickCoding::plain : TickCoding::modelled;
    if (exact) {
        exact_.emplace(bytes_, name, coding);
        if (decoded != nullptr) keeping_ = decoded->writer(location, file.index().events(location));
    } else {
        quantised_.emplace(bytes_, file.summary().time_error_ppm, name, coding);
    }
}

void TickSource::make_times(TraceFile& file, u32 location, Times times) {
    time_ = file.definitions().clock_offset();
    const TimingLevel timing = file.summary().timing;
    if (timing == TimingLevel::none) return;
    if (timing != TimingLevel::histogram) own_model_ = durations_of_location(file, location);
    const TimingModel& model = timing == TimingLevel::histogram ? file.durations() : own_model_;
    model_.emplace(model, location, file.structure().symbols.size(), times);
}

void TickSource::next(std::span<const u32> groups, const std::vector<RecordPlace>& places,
                      u64* times) {
    if (exact_ || kept_.has_ticks()) {
        exact_ticks(groups, times);
        for (std::size_t i = 0; i < groups.size(); ++i) times[i] = time_ += times[i];
        return;
    }
    for (std::size_t i = 0; i < groups.size(); ++i) {
        // Times never decrease.
        times[i] = time_ += std::min(about(groups[i], places), ~u64{0} - time_);
    }
}

void TickSource::exact_ticks(std::span<const u32> groups, u64* ticks) {
    if (kept_.has_ticks()) return kept_.next({ticks, groups.size()});
    exact_->next(groups, ticks);
    if (keeping_) keeping_->add({ticks, groups.size()});
}

u64 TickSource::about(u32 group, const std::vector<RecordPlace>& places) {
    if (quantised_) return quantised_->next(group);
    return model_ ? model_->next(places[group]) : 1;
}

void TickSource::stamp(RecordBatch& batch, std::span<const u32> groups,
                       const std::vector<RecordPlace>& places) {
    stamps_.resize(groups.size());
    next(groups, places, stamps_.data());
    const std::size_t first = batch.size() - groups.size();
    for (std::size_t i = 0; i < groups.size(); ++i) batch.set_time(first + i, stamps_[i]);
}

void TickSource::expect_end() const {
    if (exact_) exact_->expect_end();
    if (keeping_) keeping_->finish();
    if (quantised_) quantised_->expect_end();
}

}  // namespace tracefold
