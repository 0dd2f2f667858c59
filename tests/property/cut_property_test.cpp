// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"
#include "base/file.hpp"
#include "file/common_clock.hpp"
#include "questions/calls/tick_window.hpp"
#include "support/expect_error.hpp"
#include "support/random_source.hpp"
#include "support/sample_file.hpp"
#include "transform/cut_trace.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <set>

#include <gtest/gtest.h>

namespace tracefold {
namespace {

struct Event {
    u8 type = 0;
    u64 time = 0;
    std::vector<u64> values;
    std::size_t attributes = 0;
    std::vector<u64> task = {};  ///< that runs after it; empty: the implicit one

    bool operator==(const Event&) const = default;
    [[nodiscard]] bool is(EventType other) const { return type == static_cast<u8>(other); }
};
using Events = std::vector<Event>;

Events events_of(TraceFile& file, u32 location) {
    const MappingTables tables = file.mapping_tables(location);
    Events events;
    std::vector<u64> task;
    std::map<std::vector<u64>, std::vector<u64>> interrupted;
    drain(*file.events(location), [&](const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            const auto values = batch.values(head);
            Event event{head.type, head.time, {values.begin(), values.end()}, head.attribute_count};
            std::vector<u64> named = event.values;
            const bool switches = event.is(EventType::ThreadTaskSwitch);
            const bool completes = event.is(EventType::ThreadTaskComplete);
            if (switches || completes) named[0] = tables.global(FieldKind::comm, named[0]);
            if (switches && named[2] == 0) named.clear();
            if (switches && named != task) interrupted[named] = std::exchange(task, named);
            if (completes && named == task) task = interrupted[task];
            event.task = task;
            events.push_back(std::move(event));
        }
    });
    return events;
}

/// Those that are there as a whole or not at all; all others follow from themselves.
bool is_of_operation(const Event& event) {
    const std::string_view name = event_info(event.type).name;
    for (const std::string_view start : {"Mpi", "NonBlocking", "RmaCollective", "RmaPut", "RmaGet",
                                         "RmaAtomic", "RmaOp", "IoOperation"}) {
        if (name.starts_with(start)) return true;
    }
    return false;
}

constexpr u8 kNothing = 0xFF;

/// By event type, the type that closes what it opens: "ThreadFork" and "ThreadJoin". The fields of
/// the latter are the first ones of the former.
const std::array<u8, kEventTypes>& closing_types() {
    static const std::array<u8, kEventTypes> types = [] {
        std::map<std::string, u8> by_name;
        for (u8 type = 0; type < kEventTypes; ++type) {
            by_name.emplace(event_info(type).name, type);
        }
        std::array<u8, kEventTypes> closing{};
        closing.fill(kNothing);
        for (const auto& [opens, closes] :
             {std::pair("Enter", "Leave"), std::pair("TeamBegin", "TeamEnd"),
              std::pair("Fork", "Join"), std::pair("AcquireLock", "ReleaseLock")}) {
            for (const auto& [name, type] : by_name) {
                if (!name.ends_with(opens)) continue;
                const std::string what = name.substr(0, name.size() - std::string(opens).size());
                closing[type] = by_name.at(what + closes);
            }
        }
        return closing;
    }();
    return types;
}

/// Whether an event closes what an earlier one opened.
bool is_pair(const Event& opens, const Event& closes) {
    return closing_types()[opens.type] == closes.type &&
           (!opens.is(EventType::Enter) || opens.task == closes.task) &&
           std::equal(closes.values.begin(), closes.values.end(), opens.values.begin());
}

/// A window in ticks of a location, and what has to be in it.
struct Wanted {
    u64 from = 0;
    u64 to = ~u64{0};
    bool named = false;
    std::vector<bool> by_name;  ///< of each event
};

/// What opens at an event and closes at another, or never.
struct Span {
    std::size_t begin = 0;
    std::size_t end = ~std::size_t{0};
};

std::vector<Span> spans_of(const Events& events) {
    std::vector<Span> spans;
    std::vector<std::size_t> open;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (closing_types()[events[i].type] != kNothing) {
            open.push_back(spans.size());
            spans.push_back({i});
            continue;
        }
        const auto opened = std::find_if(open.rbegin(), open.rend(), [&](std::size_t span) {
            return is_pair(events[spans[span].begin], events[i]);
        });
        if (opened == open.rend()) continue;
        spans[*opened].end = i;
        open.erase(std::next(opened).base());
    }
    return spans;
}

/// The part as it should be, worked out with all events at hand. Operations that the edges concern
/// are still in it.
Events plain_part(const Events& events, const Wanted& wanted) {
    const auto in_window = [&](std::size_t i) {
        return events[i].time >= wanted.from && events[i].time < wanted.to;
    };
    std::vector<bool> keep(events.size());
    for (std::size_t i = 0; i < events.size(); ++i) {
        keep[i] = in_window(i) && (!wanted.named || wanted.by_name[i]);
    }
    const bool begun = !events.empty() && events.back().time >= wanted.from;
    const bool goes_on = !events.empty() && events.back().time >= wanted.to;
    Events opened;
    Events closed;
    std::vector<bool> shown = keep;
    for (const Span& span : spans_of(events)) {
        const Event& first = events[span.begin];
        const std::size_t last = std::min(span.end, events.size() - 1);
        bool there = begun && first.time < wanted.to &&
                     (span.end > last || events[last].time >= wanted.from);
        if (wanted.named) {
            there = false;
            for (std::size_t i = span.begin; i <= last; ++i) there = there || keep[i];
        }
        if (in_window(span.begin)) shown[span.begin] = there;
        if (span.end == last && in_window(last)) shown[last] = there;
        if (!there) continue;
        if (first.time < wanted.from) {
            opened.push_back(first);
            opened.back().time = wanted.from;
        }
        const bool closes_later = span.end == last ? events[last].time >= wanted.to : goes_on;
        if (!closes_later) continue;
        Event end{closing_types()[first.type], wanted.to, first.values, 0, first.task};
        end.values.resize(event_info(end.type).field_count);
        closed.insert(closed.begin(), std::move(end));
    }
    Events part = opened;
    for (std::size_t i = 0; i < events.size(); ++i) {
        if (shown[i]) part.push_back(events[i]);
    }
    part.insert(part.end(), closed.begin(), closed.end());
    return part;
}

Events others(const Events& events) {
    Events result;
    std::ranges::copy_if(events, std::back_inserter(result),
                         [](const Event& event) { return !is_of_operation(event); });
    return result;
}

/// Switches are added at the edges; events have their tasks.
Events without_switches(Events events) {
    std::erase_if(events, [](const Event& it) { return it.is(EventType::ThreadTaskSwitch); });
    return events;
}

bool is_part_of(const Events& some, const Events& all) {
    std::size_t next = 0;
    for (const Event& event : all) {
        if (next < some.size() && some[next] == event) ++next;
    }
    return next == some.size();
}

/// Messages by (communicator, from, to, tag), sent less received, and parts in collective
/// operations by (communicator, operation) and rank.
struct Ledger {
    std::map<std::array<u64, 4>, i64> messages;
    std::map<std::pair<u64, u64>, std::map<u64, u64>> collectives;

    void add(const TraceFile& file, u32 rank, const MappingTables& tables, const Events& events) {
        std::map<u64, std::array<u64, 4>> sent;
        const DefinitionIndex& definitions = file.definitions();
        const auto peer = [&](u64 comm, u64 number) -> u64 {
            const GroupDefinition* group = definitions.group(definitions.communicator(comm)->group);
            return group->type == kGroupCommGroup ? group->members[number] : number;
        };
        for (const Event& event : events) {
            const auto& v = event.values;
            const auto comm = [&](std::size_t at) { return tables.global(FieldKind::comm, v[at]); };
            if (event.is(EventType::MpiSend) || event.is(EventType::MpiIsend)) {
                const std::array<u64, 4> key = {comm(1), rank, peer(comm(1), v[0]), v[2]};
                ++messages[key];
                if (event.is(EventType::MpiIsend)) sent[v[4]] = key;
            } else if (event.is(EventType::MpiRecv) || event.is(EventType::MpiIrecv)) {
                --messages[{comm(1), peer(comm(1), v[0]), rank, v[2]}];
            } else if (event.is(EventType::MpiCollectiveEnd)) {
                ++collectives[{comm(1), v[0]}][rank];
            }
        }
    }
};

/// Completions have begins, and collective operations begins and ends.
void expect_whole(const Events& events) {
    std::set<u64> requests;
    int depth = 0;
    for (const Event& event : events) {
        const auto& v = event.values;
        if (event.is(EventType::MpiIsend) || event.is(EventType::MpiIrecvRequest)) {
            requests.insert(v.back());
        } else if (event.is(EventType::MpiIsendComplete) || event.is(EventType::MpiIrecv)) {
            EXPECT_EQ(requests.erase(v.back()), 1U);
        } else if (event.is(EventType::MpiCollectiveBegin)) {
            ++depth;
        } else if (event.is(EventType::MpiCollectiveEnd)) {
            EXPECT_EQ(--depth, 0);
        }
    }
    EXPECT_EQ(depth, 0);
}

/// The first tick at or after a moment of the common clock.
u64 local_time(const ClockMap& clock, u64 moment) {
    constexpr u64 kNear = 1'000'000'000;
    u64 early = moment - kNear;
    u64 late = moment + kNear;
    EXPECT_LT(clock.common(early), moment);
    EXPECT_GE(clock.common(late), moment);
    while (late - early > 1) {
        const u64 middle = (early + late) / 2;
        (clock.common(middle) < moment ? early : late) = middle;
    }
    return late;
}

/// Where two lists first differ.
std::string difference(const Events& actual, const Events& expected) {
    const auto text = [](const Events& events, std::size_t at) {
        if (at >= events.size()) return std::string("nothing");
        std::string all(event_info(events[at].type).name);
        for (const u64 value : events[at].values) all += ' ' + std::to_string(value);
        all += " of task";
        for (const u64 value : events[at].task) all += ' ' + std::to_string(value);
        return all + "@" + std::to_string(events[at].time);
    };
    for (std::size_t i = 0; i < std::max(actual.size(), expected.size()); ++i) {
        if (i < actual.size() && i < expected.size() && actual[i] == expected[i]) continue;
        return "event " + std::to_string(i) + ": " + text(actual, i) + " instead of " +
               text(expected, i);
    }
    return "";
}

class CutPropertyTest : public ::testing::TestWithParam<const char*> {
  protected:
    CutPropertyTest() : file_(GetParam(), TimingLevel::exact) {
        for (u32 location = 0; location < file_->location_count(); ++location) {
            events_.push_back(events_of(*file_, location));
        }
    }

    TraceFile& cut(const CutRequest& request) {
        const std::string path = (directory_ / ("part" + std::to_string(parts_++))).string();
        report_ = cut_trace(*file_, request, {path, 1, false, {}});
        part_ = std::make_unique<TraceFile>(path);
        return *part_;
    }

    /// Any moment of the trace, in seconds.
    double moment(RandomSource& random) {
        const Events& events = events_[random.below(events_.size())];
        if (events.empty()) return 0;
        const u64 ticks = events[random.below(events.size())].time + random.below(3) - 1;
        const DefinitionIndex& definitions = file_->definitions();
        return static_cast<double>(static_cast<i64>(ticks - common_clock(*file_).start())) /
               static_cast<double>(definitions.tick_rate().ticks_per_second());
    }

    /// The first tick of a location in a window that begins, or ends, after so many seconds.
    u64 ticks(u32 location, double seconds) {
        const DefinitionIndex& definitions = file_->definitions();
        const double since =
            seconds * static_cast<double>(definitions.tick_rate().ticks_per_second());
        return local_time(common_clock(*file_).map(location),
                          common_clock(*file_).start() + static_cast<u64>(std::llround(since)));
    }

    /// Which events the names let through.
    std::vector<bool> named(u32 location, const CutRequest& request) {
        const DefinitionIndex& definitions = file_->definitions();
        const MappingTables tables = file_->mapping_tables(location);
        std::map<std::vector<u64>, std::vector<std::string>> stacks;  // by task
        std::vector<bool> result;
        for (const Event& event : events_[location]) {
            std::vector<std::string>& stack = stacks[event.task];
            if (event.is(EventType::Enter)) {
                stack.push_back(
                    definitions.region_name(tables.global(FieldKind::region, event.values[0])));
            }
            const bool within = !request.regions || std::ranges::any_of(stack, request.regions);
            const bool call = !request.calls || (!stack.empty() && request.calls(stack.back()));
            result.push_back(!stack.empty() && within && call);
            if (event.is(EventType::Leave) && !stack.empty()) stack.pop_back();
        }
        return result;
    }

    /// What a plain filter leaves of a location.
    Events plain_part_of(u32 location, const CutRequest& request) {
        Wanted wanted;
        if (request.has_window()) {
            wanted.from = ticks(location, request.from);
            wanted.to = ticks(location, request.to);
        }
        wanted.named = request.has_names();
        if (wanted.named) wanted.by_name = named(location, request);
        return without_switches(plain_part(events_[location], wanted));
    }

    /// Cuts what a plain filter leaves. False if that is nothing, which must be refused.
    bool expect_part(const CutRequest& request) {
        std::vector<Events> plain;
        bool is_empty = true;
        for (u32 location = 0; location < file_->location_count(); ++location) {
            plain.push_back(plain_part_of(location, request));
            is_empty = is_empty && plain.back().empty();
        }
        if (is_empty) {
            expect_error(ErrorKind::usage, "this part is empty", [&] { cut(request); });
            return false;
        }
        cut(request);
        for (u32 location = 0; location < file_->location_count(); ++location) {
            const Events all = events_of(*part_, location);
            const Events part = without_switches(all);
            EXPECT_EQ(difference(others(part), others(plain[location])), "")
                << "location " << location;
            EXPECT_TRUE(is_part_of(part, plain[location])) << "location " << location;
            EXPECT_EQ(part_->definitions().locations()[location].event_count, all.size());
        }
        return true;
    }

    void expect_partners() {
        Ledger before;
        Ledger after;
        for (u32 location = 0; location < file_->location_count(); ++location) {
            const auto rank =
                file_->definitions().world_rank(file_->definitions().locations()[location]);
            const MappingTables tables = file_->mapping_tables(location);
            const Events part = events_of(*part_, location);
            expect_whole(part);
            before.add(*file_, *rank, tables, events_[location]);
            after.add(*file_, *rank, tables, part);
        }
        for (const auto& [channel, surplus] : after.messages) {
            EXPECT_EQ(surplus, before.messages.at(channel));
        }
        for (const auto& [context, members] : after.collectives) {
            if (before.collectives.at(context).size() == 1) continue;
            for (const auto& [rank, count] : members) {
                EXPECT_EQ(count, members.begin()->second) << rank;
            }
        }
    }

    SampleFile file_;
    std::vector<Events> events_;
    CutReport report_;
    std::unique_ptr<TraceFile> part_;

  private:
    TestDirectory directory_;
    int parts_ = 0;
};

TEST_P(CutPropertyTest, APartOfEverythingIsTheTrace) {
    CutRequest request;
    request.text = "all";
    request.from = -1000;
    request.to = 1000;
    request.locations.assign(file_->location_count(), true);
    request.closed = true;
    EXPECT_EQ(read_whole_file(cut(request).container().path()),
              read_whole_file(file_->container().path()));
    EXPECT_EQ(report_.kept, report_.events);
    EXPECT_EQ(report_.added, 0U);
    EXPECT_TRUE(report_.dropped_records.empty());
    EXPECT_FALSE(report_.has_losses());
}

TEST_P(CutPropertyTest, AWindowHasWhatAPlainFilterLeaves) {
    int parts = 0;
    for (u64 seed = 0; seed < 12; ++seed) {
        RandomSource random(seed);
        CutRequest request;
        request.marks_edges = false;  // which a plain filter does not add
        request.from = moment(random);
        request.to = moment(random);
        if (request.to < request.from) std::swap(request.from, request.to);
        if (request.to - request.from < 1e-6) continue;
        if (!expect_part(request)) continue;
        ++parts;
        expect_partners();
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GE(parts, 10);
}

TEST_P(CutPropertyTest, NamesLeaveWhatAPlainFilterLeaves) {
    std::set<std::string> entered;
    for (u32 location = 0; location < file_->location_count(); ++location) {
        const MappingTables tables = file_->mapping_tables(location);
        for (const Event& event : events_[location]) {
            if (!event.is(EventType::Enter)) continue;
            entered.insert(file_->definitions().region_name(
                tables.global(FieldKind::region, event.values[0])));
        }
    }
    const std::vector<std::string> choice(entered.begin(), entered.end());
    int parts = 0;
    for (u64 seed = 0; seed < 12; ++seed) {
        RandomSource random(100 + seed);
        const std::string one = choice[random.below(choice.size())];
        const std::string other = choice[random.below(choice.size())];
        CutRequest request;
        request.marks_edges = false;
        const auto chosen = [one, other](std::string_view name) {
            return name == one || name == other;
        };
        (random.one_in(2) ? request.regions : request.calls) = chosen;
        if (random.one_in(3)) {
            request.from = 0;
            request.to = moment(random);
            if (request.to < 1e-6) continue;
        }
        if (expect_part(request)) ++parts;
        ASSERT_FALSE(HasFailure()) << "seed " << seed << ' ' << one << ' ' << other;
    }
    EXPECT_GE(parts, 10);
}

INSTANTIATE_TEST_SUITE_P(Samples, CutPropertyTest,
                         ::testing::Values("micro-anysrc-4", "micro-mpiio-4", "micro-omphyb-4",
                                           "micro-pcoll-4", "micro-rma-4",
                                           "micro-stencil2d9p-isend-4", "micro-user-4",
                                           "tau-colls-4"),
                         [](const auto& sample) {
                             std::string name = sample.param;
                             std::ranges::replace(name, '-', '_');
                             return name;
                         });

}  // namespace
}  // namespace tracefold
