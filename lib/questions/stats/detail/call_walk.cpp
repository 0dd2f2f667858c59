// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "questions/stats/detail/call_walk.hpp"

#include "base/types.hpp"
#include "file/call_names.hpp"
#include "file/call_reader.hpp"
#include "file/io_files.hpp"
#include "model/event_table.hpp"
#include "model/record_kinds.hpp"
#include "model/region_role.hpp"
#include "questions/matrix/transfers.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace tracefold {

void Sums::add(u32 row, Quantity quantity, u64 value, u64 times) {
    if (row >= entries_.size()) entries_.resize(row + 1);
    Entry& entry = entries_[row];
    if (!entry.used) {
        entry.used = true;
        used_.push_back(row);
    }
    const auto place = static_cast<std::size_t>(quantity);
    u64 product = 0;
    if (__builtin_mul_overflow(value, times, &product)) product = kOverflow;
    add_saturated(entry.sums[place], product);
    entry.present[place] = true;
}

void Sums::pass(SampleScope over, u32 location, u64 iteration, SampleSink& sink, Sums* total) {
    for (const u32 row : used_) {
        Entry& entry = entries_[row];
        for (std::size_t place = 0; place < kQuantities; ++place) {
            if (!entry.present[place]) continue;
            const auto quantity = static_cast<Quantity>(place);
            const u64 sum = entry.sums[place];
            sink.add({row, over, quantity, sum, 1, location, iteration});
            if (total != nullptr) total->add(row, quantity, sum, 1);
        }
        entry = {};
    }
    used_.clear();
}

void Sums::pass_calls(u32 location, SampleSink& sink) const {
    constexpr auto kCalls = static_cast<std::size_t>(Quantity::calls);
    for (const u32 row : used_) {
        const u64 calls = entries_[row].sums[kCalls];
        if (calls != 0) sink.add({row, SampleScope::calls, Quantity::calls, 1, calls, location, 0});
    }
}

/// Bytes of one message, one-sided transfer or collective contribution.
struct RecordTransfer {
    Transfer::Kind kind{};
    u64 sent = 0;
    u64 received = 0;
};

/// The transfer of a record in the stream's current call, attributed to the posting call. None for
/// records that only complete a transfer and for receives that never complete. Cost: the records
/// that the call posts.
std::optional<RecordTransfer> transfer_of(const CallReader& stream, std::size_t record);

CallWalk::CallWalk(TraceFile& file, u32 location, const LocationSteps* iterations, RowChooser& rows,
                   SampleSink& sink, TraceThreads* threads, const IoCrossings& crossings)
    : location_(location),
      timed_(keeps_every_time(file.summary().timing)),
      on_stream_(file.definitions().locations()[location].is_stream()),
      definitions_(file.definitions()),
      stream_(file, location, timed_ ? Times::read : Times::skip),
      rows_(rows),
      sink_(sink),
      group_(rows.group(location)),
      frames_(on_stream_),
      io_(crossings, location),
      threads_(threads),
      steps_(iterations) {
    if (threads_ != nullptr) teams_.emplace(threads_->forks);
}

void CallWalk::run() {
    while (stream_.next()) {
        steps_.next();
        to_iteration(steps_.step());
        for (std::size_t i = 0; i < stream_.records().size(); ++i) record(i);
    }
    to_iteration(std::nullopt);
    end_open_calls();
    if (frames_.in_task()) {
        frames_.end_task();
        end_open_calls();
    }
    for (const std::vector<OpenVisit>& task : stream_.unfinished()) {
        change_task({.to_task = true, .resumed = task});
        end_open_calls();
        frames_.end_task();
    }
    all_.pass_calls(location_, sink_);
    all_.pass(SampleScope::ranks, location_, 0, sink_);
}

void CallWalk::to_iteration(std::optional<u64> iteration) {
    if (iteration == iteration_) return;
    if (iteration_)
        of_iteration_.pass(SampleScope::iterations, location_, *iteration_, sink_, &all_);
    iteration_ = iteration;
}

void CallWalk::record(std::size_t number) {
    const RecordBatch::Head& head = stream_.records()[number];
    if (is_enter(head.type)) {
        enter(stream_.region(number), head.time);
    } else if (is_leave(head.type)) {
        leave(stream_.region(number).id, head.time);
    } else if (const TaskChange* const change = stream_.task_change(number)) {
        change_task(*change);
    } else if (teams_ && changes_thread_place(head.type)) {
        change_thread(head);
    } else if (head.type == static_cast<u8>(EventType::CallingContextSample)) {
        const u64 context = stream_.records().values(head)[0];
        sample(stream_.tables().global(FieldKind::calling_context, context));
    } else if (!file_operation(number)) {
        if (on_stream_ && begins_copy(head.type)) begin_copy(number);
        transfer(number);
        if (!on_stream_ || !ends_copy(head.type)) return;
        if (const auto ended = copies_.end(stream_.records().values(head))) {
            leave(ended->id, head.time);
        }
    }
}

/// A region counts once per sample, even if it is on the stack several times.
void CallWalk::sample(u64 context) {
    const auto [found, fresh] = sampled_.try_emplace(context);
    Sampled& sampled = found->second;
    if (fresh) {
        u32 outer = group_;
        for (const u64 region : definitions_.regions_of_context(context)) {
            const RowChooser::Choice choice = rows_.region(group_, outer, region);
            outer = choice.row;
            sampled.self = choice;
            if (!choice.wanted) continue;
            if (std::ranges::find(sampled.rows, choice.row) == sampled.rows.end()) {
                sampled.rows.push_back(choice.row);
            }
        }
    }
    if (sampled.self.wanted) add(sampled.self.row, Quantity::self_samples, 1);
    for (const u32 row : sampled.rows) add(row, Quantity::total_samples, 1);
}

void CallWalk::begin_copy(std::size_t number) {
    const RecordBatch::Head& head = stream_.records()[number];
    const StreamCopies::Copy& begun = copies_.begin(head.type, stream_.records().values(head));
    const std::string name(copy_name(begun.to_device));
    frames_.enter({begun.id, rows_.name(group_, name, false), head.time}, false);
}

void CallWalk::change_thread(const RecordBatch::Head& head) {
    using Kind = ThreadTeams::Change::Kind;
    const u32 here = frames_.empty() ? kNone : frames_.back().choice.row;
    const ThreadTeams::Change change =
        teams_->follow(head.type, stream_.records().values(head), stream_.tables(), here);
    if (change.kind == Kind::attach) {
        frames_.enter({kAttached, {change.place, false}, head.time}, false);
    } else if (change.kind == Kind::detach) {
        for (const Frame& frame : frames_.leave(kAttached)) end_call(frame);
    }
}

/// A suspended task suspends its calls.
void CallWalk::change_task(const TaskChange& change) {
    if (change.completed) end_open_calls();
    tracefold::change_task(frames_, change, [this](const OpenVisit& visit) {
        enter({visit.region, visit.is_mpi}, visit.ticks);
    });
}

void CallWalk::enter(const CallReader::Region& region, u64 time) {
    if (threads_ != nullptr && threads_->regions.is_task(region.id)) {
        frames_.enter({kTasks, {group_, false}, time}, false);
    }
    const bool inside = !frames_.empty() && !on_stream_;
    const u32 outer = inside ? frames_.back().choice.row : group_;
    frames_.enter({region.id, rows_.region(group_, outer, region.id), time}, region.is_mpi);
}

void CallWalk::end_open_calls() {
    for (const Frame& frame : std::as_const(frames_).open()) end_call(frame);
}

/// Regions without a Leave end with the enclosing one and have no time.
void CallWalk::leave(u64 region, u64 time) {
    const std::span<const Frame> ended = frames_.leave(region);
    for (const Frame& frame : ended) end_call(frame);
    while (!frames_.empty() && frames_.back().region == kTasks) frames_.pop();
    if (ended.empty() || !timed_ || !ended.front().choice.wanted) return;
    const Frame& left = ended.front();
    if (time < left.time) {
        ++backwards_;
    } else {
        add(left.choice.row, Quantity::time, time - left.time);
    }
}

/// Numbers of calls are passed at the end, summed.
void CallWalk::end_call(const Frame& frame) {
    if (frame.choice.wanted) sums().add(frame.choice.row, Quantity::calls, 1, 1);
}

/// The record's name as row, for records outside of all regions.
RowChooser::Choice CallWalk::choice_of(u8 record_type) {
    const bool in_region =
        !frames_.empty() && frames_.back().region != kAttached && frames_.back().region != kTasks;
    if (in_region) return frames_.back().choice;
    return rows_.name(group_, std::string(event_info(record_type).name), false);
}

/// False if the record neither begins nor ends a file operation.
bool CallWalk::file_operation(std::size_t number) {
    const RecordBatch::Head& head = stream_.records()[number];
    if (!is_io_operation(head.type)) return false;
    const RowChooser::Choice choice = choice_of(head.type);
    const u32 row = choice.wanted ? choice.row : kNone;
    const std::optional<IoOperation> done =
        io_.follow(head, stream_.records().values(head), stream_.tables(), row);
    if (!done || done->mark == kNone) return true;
    if (done->lacks_size()) {
        ++unknown_sizes_;
        return true;
    }
    if (done->mode == IoMode::read) add(done->mark, Quantity::read, done->bytes);
    if (done->mode == IoMode::write) add(done->mark, Quantity::written, done->bytes);
    return true;
}

void CallWalk::transfer(std::size_t number) {
    const std::optional<RecordTransfer> transfer = transfer_of(stream_, number);
    if (!transfer) return;
    const RowChooser::Choice choice = choice_of(stream_.records()[number].type);
    if (!choice.wanted) return;
    if (has_sent(transfer->kind)) add(choice.row, Quantity::sent, transfer->sent);
    if (has_received(transfer->kind)) add(choice.row, Quantity::received, transfer->received);
}

void CallWalk::add(u32 row, Quantity quantity, u64 value) {
    sink_.add({row, SampleScope::calls, quantity, value, 1, location_, 0});
    sums().add(row, quantity, value, 1);
}

namespace {

RecordTransfer read_transfer(Transfer::Kind kind, u8 type, std::span<const u64> fields) {
    const RecordInfo& info = event_info(type);
    std::array<u64, 2> sizes{};
    std::size_t found = 0;
    for (std::size_t field = 0; field < info.field_count && found < sizes.size(); ++field) {
        if (info.fields[field].kind == FieldKind::bytes) sizes[found++] = fields[field];
    }
    if (!has_sent(kind)) return {kind, 0, sizes[0]};
    return {kind, sizes[0], sizes[1]};
}

}  // namespace

std::optional<RecordTransfer> transfer_of(const CallReader& stream, std::size_t record) {
    if (stream.element_of(record).type == kCompletions) return std::nullopt;
    const RecordBatch::Head& head = stream.records()[record];
    if (const auto kind = transfer_kind(head.type)) {
        return read_transfer(*kind, head.type, stream.records().values(head));
    }
    for (const CallReader::Posted& posted : stream.posted()) {
        if (posted.record != record || !posted.completes) continue;
        if (const auto kind = transfer_kind(posted.completion)) {
            return read_transfer(*kind, posted.completion, posted.fields);
        }
    }
    return std::nullopt;
}

namespace {

class FoldedWalk {
  public:
    FoldedWalk(TraceFile& file, ExecutionCounts& counts, RowChooser& rows, SampleSink& sink)
        : file_(file),
          structure_(file.structure()),
          counts_(counts),
          names_(file, counts),
          rows_(rows),
          sink_(sink) {}

    void run(const std::vector<u32>& locations) {
        std::vector<bool> selected(file_.location_count(), false);
        for (const u32 location : locations) selected[location] = true;
        u32 current = kNone;
        // Locations are counted in ascending order.
        auto next = locations.begin();
        const auto count_until = [&](u32 location) {
            for (; next != locations.end() && *next <= location; ++next) {
                finish(current);
                current = *next;
                count_calls(current);
            }
        };
        visit_transfers(file_, counts_, selected, [&](const Transfer& transfer) {
            count_until(transfer.location);
            pass(transfer);
        });
        count_until(kNone);
        finish(current);
    }

  private:
    void finish(u32 location) {
        if (location != kNone) sums_.pass(SampleScope::ranks, location, 0, sink_);
    }

    void count_calls(u32 location) {
        const u32 script = file_.index().script(Stream::events, location);
        if (script == kNone) return;
        for (const u32 symbol : structure_.scripts[script].symbols) {
            for (const Element& element : structure_.symbols[symbol].elements) {
                if (!is_enter(element.type)) continue;
                const RowChooser::Choice choice = region(symbol, element, location);
                const u64 calls = counts_.calls(symbol, location);
                if (choice.wanted) add(choice.row, location, Quantity::calls, 1, calls);
            }
        }
    }

    [[nodiscard]] RowChooser::Choice region(u32 symbol, const Element& element, u32 location) {
        const u32 group = rows_.group(location);
        return rows_.region(group, group, names_.region_id(symbol, element));
    }

    void pass(const Transfer& transfer) {
        const Element& call = structure_.symbols[transfer.symbol].elements.front();
        const RowChooser::Choice choice = region(transfer.symbol, call, transfer.location);
        if (!choice.wanted) return;
        const auto add_all = [&](Quantity quantity, const ValueRun& run) {
            if (run.stride == 0) {
                add(choice.row, transfer.location, quantity, run.start, run.count * transfer.times);
                return;
            }
            for (u64 i = 0; i < run.count; ++i) {
                add(choice.row, transfer.location, quantity, run.start + i * run.stride,
                    transfer.times);
            }
        };
        if (has_sent(transfer.kind)) add_all(Quantity::sent, transfer.sent);
        if (has_received(transfer.kind)) add_all(Quantity::received, transfer.received);
    }

    void add(u32 row, u32 location, Quantity quantity, u64 value, u64 times) {
        if (times == 0) return;
        sink_.add({row, SampleScope::calls, quantity, value, times, location, 0});
        sums_.add(row, quantity, value, times);
    }

    TraceFile& file_;
    const Structure& structure_;
    ExecutionCounts& counts_;
    CallNames names_;
    RowChooser& rows_;
    SampleSink& sink_;
    Sums sums_;  ///< of the current location
};

}  // namespace

bool transfers_stand_in_calls(TraceFile& file) {
    const Structure& structure = file.structure();
    for (u32 symbol = 0; symbol < structure.symbols.size(); ++symbol) {
        if (structure.symbol_streams[symbol] != Stream::events) continue;
        const std::vector<Element>& elements = structure.symbols[symbol].elements;
        // The folded form does not link begin and end of file operations: only records do.
        if (std::any_of(elements.begin(), elements.end(), [](const Element& element) {
                return completes_io(element.type) ||
                       element.type == static_cast<u8>(EventType::CallingContextSample);
            })) {
            return false;
        }
        if (transfer_recipes(structure, symbol, file.index().slots(symbol)).empty()) continue;
        const auto regions =
            std::count_if(elements.begin(), elements.end(),
                          [](const Element& element) { return is_enter(element.type); });
        if (call_kind(structure.symbols[symbol]) != CallKind::call || regions != 1) return false;
    }
    return true;
}

void walk_folded(TraceFile& file, ExecutionCounts& counts, const std::vector<u32>& locations,
                 RowChooser& rows, SampleSink& sink) {
    FoldedWalk(file, counts, rows, sink).run(locations);
}

namespace {

/// Labels a loop by the sorted names of its functions: folding may begin anywhere in a loop.
class LoopLabel {
  public:
    LoopLabel(const Structure& structure, const Script& script, CallNames& names)
        : structure_(structure),
          script_(script),
          pattern_(structure.patterns[script.pattern]),
          names_(names) {}

    std::set<std::string> functions(u32 loop) {
        found_.clear();
        seen_.clear();
        visit(loop);
        return std::move(found_);
    }

  private:
    void visit(u32 item) {
        if (!seen_.insert(item).second) return;
        if (item >= pattern_.leaf_count) {
            for (const u32 inner : pattern_.loops[item - pattern_.leaf_count]) visit(inner);
            return;
        }
        const u32 symbol = script_.symbols[item];
        const CallKind kind = call_kind(structure_.symbols[symbol]);
        if (kind != CallKind::call && kind != CallKind::enter) return;
        found_.insert(names_.name(symbol));
    }

    const Structure& structure_;
    const Script& script_;
    const Pattern& pattern_;
    CallNames& names_;
    std::set<std::string> found_;
    std::set<u32> seen_;
};

class LoopWalk {
  public:
    LoopWalk(TraceFile& file, CallNames& names, u32 location, RowChooser& rows,
             const IoCrossings& crossings, SampleSink& sink)
        : location_(location),
          timed_(keeps_every_time(file.summary().timing)),
          stream_(file, location, timed_ ? Times::read : Times::skip),
          io_(crossings, location),
          sink_(sink) {
        name_loops(file, names, rows);
    }

    void run() {
        while (stream_.next()) {
            const OutermostLoop loop = stream_.loop();
            if (loop.item != loop_.item || loop.left != loop_.left) {
                end_iteration();
                loop_ = loop;
                begin_ = stream_.records()[0].time;
            }
            add_file_operations();
            if (loop_.item != kNone) add_call();
        }
        end_iteration();
        all_.pass(SampleScope::ranks, location_, 0, sink_);
    }

    /// Reads and writes without a recorded size.
    [[nodiscard]] u64 unknown_sizes() const { return unknown_sizes_; }

  private:
    void name_loops(TraceFile& file, CallNames& names, RowChooser& rows) {
        const u32 script = file.index().script(Stream::events, location_);
        const Pattern& pattern =
            file.structure().patterns[file.structure().scripts[script].pattern];
        LoopLabel labels(file.structure(), file.structure().scripts[script], names);
        const u32 group = rows.group(location_);
        std::map<std::string, u64> copies;
        for (u32 place = 0; place < pattern.root.size(); ++place) {
            if (pattern.root[place] < pattern.leaf_count) continue;
            std::string label;
            bool wanted = false;
            for (const std::string& function : labels.functions(pattern.root[place])) {
                label += (label.empty() ? "" : " ") + function;
                wanted = wanted || rows.wants(function, true);
            }
            const u64 copy = ++copies[label];
            if (copy > 1) label += ", loop " + std::to_string(copy);
            choices_[place] = rows.loop(group, label, wanted);
        }
    }

    /// Attributes bytes to the loop that completes the operation.
    void add_file_operations() {
        const RecordSpan records = stream_.records();
        for (const RecordBatch::Head& head : records.heads()) {
            if (!is_io_operation(head.type)) continue;
            const std::optional<IoOperation> done =
                io_.follow(head, records.values(head), stream_.tables(), 0);
            if (!done || loop_.item == kNone) continue;
            if (done->lacks_size()) {
                ++unknown_sizes_;
                continue;
            }
            const u32 row = choices_.at(loop_.item).row;
            if (done->mode == IoMode::read) iteration_.add(row, Quantity::read, done->bytes, 1);
            if (done->mode == IoMode::write) {
                iteration_.add(row, Quantity::written, done->bytes, 1);
            }
        }
    }

    void add_call() {
        for (std::size_t record = 0; record < stream_.records().size(); ++record) {
            const std::optional<RecordTransfer> transfer = transfer_of(stream_, record);
            if (!transfer) continue;
            const u32 row = choices_.at(loop_.item).row;
            if (has_sent(transfer->kind)) iteration_.add(row, Quantity::sent, transfer->sent, 1);
            if (has_received(transfer->kind)) {
                iteration_.add(row, Quantity::received, transfer->received, 1);
            }
        }
        end_ = stream_.records()[stream_.records().size() - 1].time;
    }

    /// Passes each sample over iterations also as a sample over calls.
    class Forward : public SampleSink {
      public:
        explicit Forward(SampleSink& sink) : sink_(sink) {}
        void add(const Sample& sample) override {
            sink_.add(sample);
            Sample alike = sample;
            alike.over = SampleScope::calls;
            sink_.add(alike);
        }

      private:
        SampleSink& sink_;
    };

    void end_iteration() {
        if (loop_.item == kNone) return;
        const RowChooser::Choice choice = choices_.at(loop_.item);
        const u64 number = iterations_[choice.row]++;
        iteration_.add(choice.row, Quantity::calls, 1, 1);
        if (timed_ && end_ >= begin_) iteration_.add(choice.row, Quantity::time, end_ - begin_, 1);
        if (choice.wanted) {
            Forward forward(sink_);
            iteration_.pass(SampleScope::iterations, location_, number, forward, &all_);
        } else {
            iteration_ = {};
        }
    }

    u32 location_;
    bool timed_;
    CallReader stream_;
    IoTracker io_;
    SampleSink& sink_;
    std::map<u32, RowChooser::Choice> choices_;  ///< by index into the script's root
    std::map<u32, u64> iterations_;              ///< so far, by row
    OutermostLoop loop_;
    u64 begin_ = 0;
    u64 end_ = 0;
    u64 unknown_sizes_ = 0;
    Sums iteration_;
    Sums all_;
};

}  // namespace

u64 walk_loops(TraceFile& file, CallNames& names, u32 location, RowChooser& rows,
               const IoCrossings& crossings, SampleSink& sink) {
    LoopWalk walk(file, names, location, rows, crossings, sink);
    walk.run();
    return walk.unknown_sizes();
}

}  // namespace tracefold
