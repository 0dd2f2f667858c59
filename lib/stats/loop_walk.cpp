// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "stats/loop_walk.hpp"

#include "query/io_tracker.hpp"
#include "stats/record_transfer.hpp"
#include "stats/sums.hpp"

#include <map>
#include <set>

namespace tracefold {

namespace {

/// The functions that a loop of a script calls, by name: folding may begin anywhere in a loop.
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
        all_.pass(Over::ranks, location_, 0, sink_);
    }

    /// Reads and writes whose size is not recorded.
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

    /// Bytes belong to the loop that completes the operation.
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

    /// Passes a sample over iterations as one over calls, too.
    class Forward : public SampleSink {
      public:
        explicit Forward(SampleSink& sink) : sink_(sink) {}
        void add(const Sample& sample) override {
            sink_.add(sample);
            Sample alike = sample;
            alike.over = Over::calls;
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
            iteration_.pass(Over::iterations, location_, number, forward, &all_);
        } else {
            iteration_ = {};
        }
    }

    u32 location_;
    bool timed_;
    CallReader stream_;
    IoTracker io_;
    SampleSink& sink_;
    std::map<u32, RowChooser::Choice> choices_;  ///< by place in the script's root
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
