// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/metrics/metric_series.hpp"

#include "file/call_reader.hpp"
#include "file/record_counts.hpp"

#include <algorithm>

namespace tracefold {

namespace {

/// Ticks per column; the last columns may exceed the window.
u64 column_width(TickWindow window, std::size_t columns) {
    return std::max<u64>((window.length() + columns - 1) / columns, 1);
}

/// A metric of one location.
class OneSeries {
  public:
    OneSeries(const MetricMember& member, TickWindow window, std::size_t columns)
        : mode_(member.mode),
          holds_before_(member.holds_before()),
          window_(window),
          width_(column_width(window, columns)),
          sums_(columns, 0),
          weights_(columns, 0) {}

    void add(u64 time, double value) {
        if (known_ && mode_ == MetricMode::absolute) {
            spread(last_time_, time, holds_before_ ? value : last_value_, false);
        } else if (known_) {
            const double growth = mode_ == MetricMode::accumulated ? value - last_value_ : value;
            spread(last_time_, time, growth, true);
        }
        last_value_ = value;
        last_time_ = time;
        known_ = true;
    }

    /// The last state extends to the end.
    void finish() {
        if (known_ && mode_ == MetricMode::absolute && !holds_before_) {
            spread(last_time_, window_.end, last_value_, false);
        }
    }

    [[nodiscard]] bool has(std::size_t column) const { return weights_[column] > 0; }
    /// The state, or the growth per tick.
    [[nodiscard]] double value(std::size_t column) const {
        return sums_[column] / weights_[column];
    }

  private:
    /// Distributes a growth over the columns, or adds a constant value to them.
    void spread(u64 begin, u64 end, double value, bool grows) {
        if (end <= begin) return;
        const double per_tick = grows ? value / static_cast<double>(end - begin) : value;
        begin = std::max(begin, window_.begin);
        end = std::min(end, window_.end);
        while (begin < end) {
            const auto column = static_cast<std::size_t>((begin - window_.begin) / width_);
            const u64 stop = std::min(end, window_.begin + width_ * (column + 1));
            const auto ticks = static_cast<double>(stop - begin);
            sums_[column] += per_tick * ticks;
            weights_[column] += ticks;
            begin = stop;
        }
    }

    MetricMode mode_;
    bool holds_before_;
    TickWindow window_;
    u64 width_;
    std::vector<double> sums_;
    std::vector<double> weights_;  ///< ticks with a known value
    bool known_ = false;
    u64 last_time_ = 0;
    double last_value_ = 0;
};

class SeriesMaker {
  public:
    SeriesMaker(TraceFile& file, const CommonClock& clock, TickWindow window, std::size_t columns)
        : file_(file), clock_(clock), catalogue_(file), window_(window), columns_(columns) {
        for (u32 member = 0; member < catalogue_.members().size(); ++member) {
            all_.push_back({member, 0, std::vector<MetricSeries::Column>(columns)});
        }
    }

    std::vector<MetricSeries> run() {
        for (u32 location = 0; location < file_.location_count(); ++location) {
            if (!catalogue_.empty() && records_any(file_, location, {EventType::Metric})) {
                add(location);
            }
        }
        for (MetricSeries& series : all_) finish(series);
        std::erase_if(all_, [](const MetricSeries& series) { return series.locations == 0; });
        return std::move(all_);
    }

  private:
    void add(u32 location) {
        std::vector<OneSeries> own;
        for (const MetricMember& member : catalogue_.members()) {
            own.emplace_back(member, window_, columns_);
        }
        CallReader calls(file_, location);
        while (calls.next()) {
            const RecordSpan records = calls.records();
            for (const RecordBatch::Head& head : records.heads()) {
                if (head.type != static_cast<u8>(EventType::Metric)) continue;
                const u64 time = clock_.since_start(location, head.time);
                catalogue_.for_each(records.values(head), calls.tables(),
                                    [&](u32 member, ValueType type, u64 bits) {
                                        own[member].add(time, metric_number(type, bits));
                                    });
            }
        }
        for (u32 member = 0; member < own.size(); ++member) take(own[member], all_[member]);
    }

    void take(OneSeries& own, MetricSeries& series) const {
        own.finish();
        bool any = false;
        for (std::size_t i = 0; i < columns_; ++i) {
            if (!own.has(i)) continue;
            any = true;
            const double value = own.value(i);
            MetricSeries::Column& column = series.columns[i];
            column.least = column.locations == 0 ? value : std::min(column.least, value);
            column.most = column.locations == 0 ? value : std::max(column.most, value);
            column.mean += value;
            ++column.locations;
        }
        series.locations += any ? 1 : 0;
    }

    /// Converts sums per tick to means in the metric's unit.
    void finish(MetricSeries& series) const {
        const MetricMember& member = catalogue_.members()[series.member];
        const bool grows = member.mode != MetricMode::absolute;
        const double ticks = grows ? file_.definitions().tick_rate().ticks(1) : 1;
        const double scale = member.scale() * ticks;
        for (MetricSeries::Column& column : series.columns) {
            if (column.locations == 0) continue;
            column.least *= scale;
            column.most *= scale;
            column.mean *= scale / column.locations;
        }
    }

    TraceFile& file_;
    const CommonClock& clock_;
    MetricCatalogue catalogue_;
    TickWindow window_;
    std::size_t columns_;
    std::vector<MetricSeries> all_;
};

}  // namespace

std::vector<MetricSeries> metric_series(TraceFile& file, const CommonClock& clock,
                                        TickWindow window, std::size_t columns) {
    return SeriesMaker(file, clock, window, columns).run();
}

}  // namespace tracefold
