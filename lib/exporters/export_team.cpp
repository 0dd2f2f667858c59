// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "exporters/export_team.hpp"

#include "core/parallel.hpp"
#include "trace/location_blocks.hpp"

#include <deque>

namespace tracefold::inline exporters {

namespace {

/// The outputs, into which parts come in their order.
class PartTexts {
  public:
    PartTexts(const ExportTeam::Outs& outs, u32 most_waiting) {
        for (TextFile* out : outs) {
            all_.emplace_back([out](std::string_view bytes) { *out << bytes; }, out->folder(),
                              most_waiting);
        }
    }

    /// Runs work(texts) for the texts of a part; returns the bytes of the first one.
    template <class Work>
    u64 write(u32 number, const Work& work) {
        try {
            std::vector<TextPart> texts;
            texts.reserve(all_.size());
            for (OrderedParts& parts : all_) texts.emplace_back(parts.begin(number));
            work(texts);
            for (TextPart& text : texts) text.finish();
            return texts.front().size();
        } catch (...) {
            for (OrderedParts& parts : all_) parts.give_up();
            throw;
        }
    }

  private:
    std::deque<OrderedParts> all_;
};

}  // namespace

ExportTeam::ExportTeam(TraceFile& file, const ExportOptions& options, ExportReport& report)
    : file_(file),
      threads_(useful_threads(file.definitions().locations(), options.threads)),
      progress_(one_at_a_time(options.progress)),
      report_(report),
      fates_(file.definitions()) {}

ExportedPart ExportTeam::begin_part(u32 number) const {
    return {file_, number, progress_, CallFates(file_.definitions())};
}

void ExportTeam::add(const ExportedPart& part) {
    const std::scoped_lock lock(mutex_);
    report_.add(part.report);
    fates_.add(part.fates);
    kept_.add(part.kept);
}

void ExportTeam::run(u32 count, const Work& work) {
    run_in_threads(count, [&work](TraceFile&) { return work; });
}

void ExportTeam::run_in_threads(u32 count, const std::function<Work(TraceFile& own)>& begin) {
    run_each_with(threads_, count, [&] {
        return [this, work = begin(file_)](u32 number) {
            ExportedPart part = begin_part(number);
            work(part);
            add(part);
        };
    });
}

std::vector<u64> ExportTeam::run(u32 count, const Outs& outs,
                                 const std::function<TextWork(TraceFile& own)>& begin) {
    std::vector<u64> sizes(count);
    PartTexts all(outs, 2 * threads_);
    run_each_with(threads_, count, [&] {
        return [this, &all, &sizes, work = begin(file_)](u32 number) {
            sizes[number] = all.write(number, [&](std::vector<TextPart>& texts) {
                ExportedPart part = begin_part(number);
                work(part, texts);
                add(part);
            });
        };
    });
    return sizes;
}

std::vector<u64> ExportTeam::run(
    u32 count, TextFile& out, const std::function<void(ExportedPart& part, TextOut& text)>& work) {
    return run(count, Outs{&out}, [&work](TraceFile&) {
        return [&work](ExportedPart& part, std::vector<TextPart>& texts) {
            work(part, texts.front());
        };
    });
}

}  // namespace tracefold::inline exporters
