// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "proxy/build_model.hpp"

#include "core/error.hpp"
#include "fold/folder.hpp"
#include "proxy/place_columns.hpp"
#include "proxy/place_walk.hpp"
#include "proxy/survey.hpp"
#include "replay/check.hpp"
#include "replay/rank_program.hpp"

#include <algorithm>
#include <map>

namespace tracefold {

namespace {

/// What hinders but calls that are left out on all ranks.
void refuse_what_cannot_run(const CheckResult& check) {
    if (check.threads) {
        throw Error(ErrorKind::unsupported,
                    "several threads of a rank call MPI, which a proxy application does not do");
    }
    for (const Finding& finding : check.findings) {
        const FindingInfo& info = finding_info(finding.kind);
        if (!info.hinders || finding.kind == FindingKind::unsupported) continue;
        throw Error(ErrorKind::unsupported, "the trace has " + std::string(info.what) + " (" +
                                                std::string(info.name) + ": " +
                                                std::to_string(finding.count) +
                                                "); trace_replay --check has the details");
    }
}

class ModelBuilder {
  public:
    ModelBuilder(TraceFile& file, const std::function<void(u64)>& progress)
        : file_(file), progress_(progress), check_(check_replay(file)) {
        refuse_what_cannot_run(check_);
        model_.ranks = check_.ranks;
        model_.ticks_per_second = file.definitions().timer_resolution();
        model_.has_times = file.summary().timing != TimingLevel::none;
    }

    ProxyModel run() {
        for (u32 rank = 0; rank < model_.ranks; ++rank) survey(rank);
        sizes_.finish();
        for (u32 rank = 0; rank < model_.ranks; ++rank) fold(rank);
        for (u32 script = 0; script < model_.scripts.size(); ++script) place(script);
        return std::move(model_);
    }

  private:
    struct Rank {
        CommunicatorTable table;
        std::vector<u64> made_at_start;
        std::vector<NodeCount> counts;
    };

    RankProgram program(u32 rank, Times times) {
        const u32 location = mpi_locations(file_, rank).front();
        RankProgram program(file_, location, times);
        const auto inferred = std::ranges::find_if(
            check_.inferences, [location](const auto& one) { return one.location == location; });
        program.infer(inferred == check_.inferences.end() ? nullptr : &*inferred);
        return program;
    }

    void survey(u32 rank) {
        ranks_.push_back({CommunicatorTable(file_, rank), {}, {}});
        Rank& known = ranks_.back();
        RankSurvey survey(known.table, sizes_);
        RankProgram calls = program(rank, Times::skip);
        for (Operation operation; calls.next(operation);) {
            survey.add(operation);
            ++model_.read_calls;
            advance();
        }
        known.made_at_start = survey.made_at_start();
        model_.starts_threads = model_.starts_threads || survey.starts_threads();
        model_.largest = std::max(model_.largest, survey.largest());
    }

    /// Tells `sink` of the calls of a rank with the ticks between each and the one before it.
    template <class Sink>
    void translate(u32 rank, Times times, CallTranslator& translator, const Sink& sink) {
        u64 gap = 0;
        const CallTranslator::Sink forward = [&](const ProxyCall& call) {
            sink(call, gap);
            gap = 0;
        };
        RankProgram calls = program(rank, times);
        u64 last_end = 0;
        bool started = false;
        for (Operation operation; calls.next(operation);) {
            advance();
            if (operation.family == CallFamily::finalize) continue;
            if (!started && operation.family != CallFamily::init) last_end = operation.begin;
            if (!started) translator.start(forward);
            started = true;
            gap = operation.begin > last_end ? operation.begin - last_end : 0;
            if (operation.family == CallFamily::init) {
                last_end = operation.end;
                continue;
            }
            bool any = false;
            const CallTranslator::Sink note = [&](const ProxyCall& call) {
                any = true;
                forward(call);
            };
            translator.translate(operation, note);
            if (any) last_end = operation.end;
        }
    }

    void fold(u32 rank) {
        Folder folder;
        std::vector<ProxyFunction> functions;
        std::map<ProxyFunction, u32> symbols;
        u32 symbol = kNone;
        u64 run = 0;
        CallTranslator translator(ranks_[rank].table, ranks_[rank].made_at_start, sizes_,
                                  file_.definitions());
        translate(rank, Times::skip, translator, [&](const ProxyCall& call, u64) {
            const auto known = symbols.try_emplace(call.function, static_cast<u32>(symbols.size()));
            if (known.second) functions.push_back(call.function);
            if (known.first->second == symbol) {
                ++run;
                return;
            }
            if (run != 0) folder.push(symbol, run);
            symbol = known.first->second;
            run = 1;
        });
        if (run != 0) folder.push(symbol, run);
        folder.finish();
        const u32 pattern = folder.store(model_.pool, ranks_[rank].counts);
        add(translator.left_out(), model_.left_out);
        add(translator.inferred(), model_.inferred);
        add(translator.local(), model_.local);
        model_.communicators = std::max(model_.communicators, translator.communicators());
        model_.persistent = std::max(model_.persistent, translator.persistent_requests());
        add_script(rank, pattern, std::move(functions));
    }

    static void add(const CallCounts& counts, CallCounts& sum) {
        for (const auto& [name, calls] : counts) sum[name] += calls;
    }

    void add_script(u32 rank, u32 pattern, std::vector<ProxyFunction> functions) {
        const auto key = std::pair(pattern, functions);
        const auto [known, is_new] =
            scripts_.try_emplace(key, static_cast<u32>(model_.scripts.size()));
        if (is_new) model_.scripts.push_back({pattern, std::move(functions), {}, {}});
        model_.scripts[known->second].ranks.push_back(rank);
    }

    /// The arguments at each place of a script.
    void place(u32 number) {
        ProxyScript& script = model_.scripts[number];
        const Pattern pattern = model_.pool.patterns()[script.pattern];
        script.places.resize(PlaceNumbers(pattern).size());
        std::size_t next = 0;
        const auto add_items = [&](const std::vector<u32>& body) {
            for (const u32 item : body) script.places[next++].item = item;
        };
        add_items(pattern.root);
        for (const auto& body : pattern.loops) add_items(body);
        std::vector<PlaceVariants> variants(script.places.size());
        for (u32 i = 0; i < script.ranks.size(); ++i) place_rank(script, i, variants);
        for (std::size_t i = 0; i < variants.size(); ++i) {
            variants[i].finish(arguments_at(script, script.places[i].item), model_.pool,
                               script.places[i]);
        }
    }

    static std::string_view arguments_at(const ProxyScript& script, u32 item) {
        if (item >= script.functions.size()) return {};
        return proxy_function_info(script.functions[item]).arguments;
    }

    void place_rank(ProxyScript& script, u32 position, std::vector<PlaceVariants>& variants) {
        const u32 rank = script.ranks[position];
        std::vector<PlaceColumns> columns;
        for (const ProxyPlace& place : script.places) {
            columns.emplace_back(arguments_at(script, place.item));
        }
        {
            // The pool grows only after the walk.
            PlaceWalk walk({model_.pool.patterns(), model_.pool.columns()}, script.pattern,
                           ranks_[rank].counts);
            CallTranslator translator(ranks_[rank].table, ranks_[rank].made_at_start, sizes_,
                                      file_.definitions());
            const Times times = file_.summary().timing == TimingLevel::none        ? Times::skip
                                : file_.summary().timing == TimingLevel::histogram ? Times::mean
                                                                                   : Times::read;
            translate(rank, times, translator, [&](const ProxyCall& call, u64 gap) {
                PlaceWalk::Step step;
                do {
                    step = walk.next();
                    if (step.count != 0) columns[step.place].push_count(step.count);
                } while (!step.is_call);
                columns[step.place].push_arguments(call);
                ProxyPlace& place = script.places[step.place];
                ++place.executions;
                place.ticks += gap;
                ++model_.calls;
            });
        }
        for (std::size_t i = 0; i < columns.size(); ++i) {
            variants[i].add(position, columns[i].finish(model_.pool));
        }
    }

    void advance() {
        if (progress_) progress_(1);
    }

    TraceFile& file_;
    const std::function<void(u64)>& progress_;
    CheckResult check_;
    ProxyModel model_;
    VectorSizes sizes_;
    std::vector<Rank> ranks_;
    std::map<std::pair<u32, std::vector<ProxyFunction>>, u32> scripts_;
};

}  // namespace

ProxyModel build_proxy_model(TraceFile& file, const std::function<void(u64)>& progress) {
    return ModelBuilder(file, progress).run();
}

}  // namespace tracefold
