// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/proxy/proxy_model.hpp"

#include "base/error.hpp"
#include "export/proxy/script_union.hpp"
#include "fold/folder.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace tracefold {

namespace {

/// Scripts with at least half of their calls in common are merged.
constexpr double kAlike = 0.5;
constexpr u64 kMostPlaces = 50'000;

void add(const CallCounts& counts, CallCounts& sum) {
    for (const auto& [name, calls] : counts) sum[name] += calls;
}

/// Folds the functions of one rank's calls.
class CallFolder {
  public:
    /// `call`: index among the rank's distinct calls, by first appearance.
    void push(u32 call) {
        if (call == call_) {
            ++run_;
            return;
        }
        flush();
        call_ = call;
        run_ = 1;
    }
    u32 finish(StructurePool& pool, std::vector<NodeCount>& counts) {
        flush();
        folder_.finish();
        return folder_.store(pool, counts);
    }

  private:
    void flush() {
        if (run_ != 0) folder_.push(call_, run_);
    }

    Folder folder_;
    u32 call_ = kNone;
    u64 run_ = 0;
};

class ModelBuilder {
  public:
    ModelBuilder(ProxyCallReader& calls, SameCalls same) : calls_(calls), same_(same) {
        const TraceFile& file = calls.file();
        model_.ranks = calls.ranks();
        model_.read_calls = calls.calls();
        model_.largest = calls.largest();
        model_.file_numbers = calls.file_numbers() + 1;
        model_.starts_threads = calls.starts_threads();
        model_.rate = file.definitions().tick_rate();
        model_.checksum = file.container().fingerprint();
        model_.has_times = file.summary().timing != TimingLevel::none;
    }

    ProxyModel run() {
        counts_.resize(model_.ranks);
        for (u32 rank = 0; rank < model_.ranks; ++rank) fold(rank);
        model_.scripts_of_ranks = order_.size();
        unite();
        refuse_what_no_compiler_takes();
        for (Program& program : programs_) place(program);
        return std::move(model_);
    }

  private:
    using Call = std::pair<ProxyFunction, u64>;  ///< function and tag
    using Leaves = std::vector<u32>;             ///< call numbers of a script's leaves

    /// Ranks with equal calls.
    struct Script {
        Pattern pattern;  ///< over the script's own leaves
        Leaves leaves;
        std::vector<u32> ranks;
    };
    struct Program {
        ScriptUnion whole;
        std::vector<const Script*> scripts;
    };

    [[nodiscard]] Call call_of(const ProxyCall& call) const {
        if (same_ == SameCalls::by_function) return {call.function, 0};
        const auto place = proxy_function_info(call.function).arguments.find('t');
        // No list precedes the tag, which would shift it.
        return {call.function, place == std::string_view::npos ? 0 : call.numbers[place]};
    }

    void fold(u32 rank) {
        CallFolder folder;
        Leaves leaves;
        std::map<Call, u32> numbers;
        const CallTranslator translated =
            calls_.translate(rank, false, [&](const ProxyCall& call, u64) {
                const auto [known, is_new] =
                    numbers.try_emplace(call_of(call), static_cast<u32>(leaves.size()));
                if (is_new) leaves.push_back(number_of(known->first));
                folder.push(known->second);
            });
        const u32 pattern = folder.finish(model_.pool, counts_[rank]);
        add(translated.left_out(), model_.left_out);
        model_.fingerprint += translated.fingerprint();
        add(translated.inferred(), model_.inferred);
        for (const auto& [type, records] : translated.records()) model_.records[type] += records;
        add(translated.local(), model_.local);
        model_.communicators = std::max(model_.communicators, translated.communicators());
        model_.windows = std::max(model_.windows, translated.windows());
        model_.files = std::max(model_.files, translated.files());
        model_.persistent = std::max(model_.persistent, translated.persistent_requests());
        Script& script = scripts_[{pattern, leaves}];
        script.ranks.push_back(rank);
        if (script.ranks.size() > 1) return;
        script.pattern = model_.pool.patterns()[pattern];
        script.leaves = std::move(leaves);
        order_.push_back(&script);
    }

    /// The number of a call among those of all ranks.
    u32 number_of(const Call& call) {
        const auto [known, is_new] =
            call_numbers_.try_emplace(call, static_cast<u32>(functions_.size()));
        if (is_new) functions_.push_back(call.first);
        return known->second;
    }

    /// The pattern over the calls of all ranks.
    [[nodiscard]] Pattern common_pattern(const Script& script) const {
        const auto all = static_cast<u32>(functions_.size());
        const auto map = [&](std::vector<u32> body) {
            for (u32& item : body) {
                const u32 own = script.pattern.leaf_count;
                item = item < own ? script.leaves[item] : item - own + all;
            }
            return body;
        };
        Pattern common{all, {}, map(script.pattern.root)};
        for (const auto& body : script.pattern.loops) common.loops.push_back(map(body));
        return common;
    }

    void unite() {
        for (const Script* script : order_) {
            const Pattern pattern = common_pattern(*script);
            Program* best = nullptr;
            double most = kAlike;
            for (Program& program : programs_) {
                const double likeness = program.whole.likeness(pattern);
                if (likeness < most) continue;
                most = likeness;
                best = &program;
            }
            if (best == nullptr) {
                programs_.push_back({ScriptUnion(pattern), {script}});
            } else {
                best->whole.add(pattern);
                best->scripts.push_back(script);
            }
        }
    }

    /// If ranks are irregular, the source would be about as long as the trace.
    void refuse_what_no_compiler_takes() const {
        u64 places = 0;
        for (const Program& program : programs_) {
            const Pattern& pattern = program.whole.pattern();
            for (BodyId body = 0; body <= pattern.loops.size(); ++body) {
                places += body_of(pattern, body).size();
            }
        }
        if (places <= kMostPlaces) return;
        throw Error(
            ErrorKind::unsupported,
            "a proxy application would have {} calls and loops in its source, and compilers take "
            "too long for more than {}; cut the trace with --ranks or --iterations",
            places, kMostPlaces);
    }

    /// Collects the arguments at each place of a program.
    void place(const Program& program) {
        ProxyScript& out = model_.scripts.emplace_back();
        out.pattern = program.whole.pattern();
        out.functions = functions_;
        for (BodyId body = 0; body <= out.pattern.loops.size(); ++body) {
            for (const u32 item : body_of(out.pattern, body)) out.places.emplace_back().item = item;
        }
        std::vector<std::pair<u32, std::size_t>> ranks;
        for (std::size_t i = 0; i < program.scripts.size(); ++i) {
            for (const u32 rank : program.scripts[i]->ranks) ranks.emplace_back(rank, i);
        }
        std::ranges::sort(ranks);
        std::vector<PlaceVariants> variants(out.places.size());
        for (const auto& [rank, script] : ranks) {
            const PlaceWalk::Script own{program.scripts[script]->pattern, counts_[rank],
                                        program.whole.places(script)};
            std::vector<PlaceColumns> columns = walk(rank, own, out);
            for (std::size_t i = 0; i < columns.size(); ++i) {
                variants[i].add(static_cast<u32>(out.ranks.size()), columns[i].finish(model_.pool));
            }
            out.ranks.push_back(rank);
        }
        for (std::size_t i = 0; i < variants.size(); ++i) {
            variants[i].finish(arguments_at(out.places[i]), model_.pool, out.places[i]);
        }
    }

    [[nodiscard]] std::string_view arguments_at(const ProxyPlace& place) const {
        if (place.item >= functions_.size()) return {};
        return proxy_function_info(functions_[place.item]).arguments;
    }

    std::vector<PlaceColumns> walk(u32 rank, const PlaceWalk::Script& script, ProxyScript& out) {
        std::vector<PlaceColumns> columns;
        for (const ProxyPlace& place : out.places) columns.emplace_back(arguments_at(place));
        PlaceWalk walk({model_.pool.patterns(), model_.pool.columns()}, script, out.pattern);
        const auto next = [&] {
            const PlaceWalk::Step step = walk.next();
            if (step.is_new) columns[step.place].push_count(step.count);
            return step;
        };
        calls_.translate(rank, true, [&](const ProxyCall& call, u64 gap) {
            PlaceWalk::Step step = next();
            while (!step.is_call) step = next();
            columns[step.place].push_arguments(call);
            ProxyPlace& place = out.places[step.place];
            ++place.executions;
            place.ticks += gap;
            ++model_.calls;
        });
        while (walk.passes_over()) next();
        return columns;
    }

    ProxyCallReader& calls_;
    SameCalls same_;
    ProxyModel model_;
    std::vector<std::vector<NodeCount>> counts_;  ///< by rank
    std::map<Call, u32> call_numbers_;
    std::vector<ProxyFunction> functions_;  ///< by call number
    std::map<std::pair<u32, Leaves>, Script> scripts_;
    std::vector<const Script*> order_;  ///< by first rank
    std::vector<Program> programs_;
};

}  // namespace

ProxyModel build_proxy_model(ProxyCallReader& calls, SameCalls same) {
    return ModelBuilder(calls, same).run();
}

namespace {

std::size_t columns_for(char letter) {
    if (letter == 'p') return kPeerEncodings;
    return letter == 'l' ? 2 : 1;
}

}  // namespace

PlaceColumns::PlaceColumns(std::string_view arguments) : arguments_(arguments) {
    std::size_t columns = 1;
    for (const char letter : arguments) columns += columns_for(letter);
    columns_.resize(columns);
}

void PlaceColumns::push_arguments(const ProxyCall& call) {
    auto number = call.numbers.begin();
    auto view = call.views.begin();
    auto column = columns_.begin() + 1;
    for (const char letter : arguments_) {
        const u64 value = *number++;
        if (letter == 'p') {
            for (int i = 0; i < kPeerEncodings; ++i) {
                const bool nobody = value == kProxyNobody;
                (column++)->push(nobody ? value
                                        : encode_relative_peer(value - view->rank,
                                                               static_cast<PeerEncoding>(i),
                                                               view->rank, view->size));
            }
            ++view;
        } else if (letter == 'l') {
            (column++)->push(value);
            for (u64 i = 0; i < value; ++i) column->push(*number++);
            ++column;
        } else {
            (column++)->push(value);
        }
    }
}

std::vector<u32> PlaceColumns::finish(StructurePool& pool) {
    std::vector<u32> ids;
    ids.reserve(columns_.size());
    for (ColumnBuilder& column : columns_) {
        ids.push_back(column.size() == 0 ? kNone : column.finish(pool));
    }
    return ids;
}

void PlaceVariants::add(u32 position, const std::vector<u32>& columns) {
    uses_.resize(columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
        uses_[i].resize(position + 1, kNone);
        uses_[i][position] = columns[i];
    }
}

/// Ranks that never use their column take that of the previous rank.
PlaceVariants::Use PlaceVariants::completed(Use use, StructurePool& pool) {
    const auto first = std::ranges::find_if(use, [](u32 column) { return column != kNone; });
    u32 last = first == use.end() ? pool.intern(Column{}) : *first;
    for (u32& column : use) last = column = column == kNone ? last : column;
    return use;
}

Assignment PlaceVariants::assign(const Use& sparse, StructurePool& pool) {
    const Use use = completed(sparse, pool);
    std::vector<u32> distinct;
    std::unordered_map<u32, u32> class_of;
    for (const u32 column : use) {
        if (class_of.try_emplace(column, static_cast<u32>(distinct.size())).second) {
            distinct.push_back(column);
        }
    }
    Assignment assignment;
    if (distinct.size() == 1) {
        assignment.columns = distinct;
        return assignment;
    }
    const bool constants = std::ranges::all_of(distinct, [&pool](u32 column) {
        return pool.columns()[column].form == Column::Form::constant;
    });
    ColumnBuilder by_rank;
    for (const u32 column : use) {
        by_rank.push(constants ? pool.columns()[column].start : class_of[column]);
    }
    assignment.by_participant = by_rank.finish(pool);
    if (!constants) assignment.columns = distinct;
    return assignment;
}

/// Chooses the encoding with the most equal ranks.
Assignment PlaceVariants::assign_peers(std::size_t first, StructurePool& pool) const {
    std::size_t best = 0;
    std::size_t fewest = ~std::size_t{0};
    for (std::size_t i = 0; i < kPeerEncodings; ++i) {
        const Use use = completed(uses_[first + i], pool);
        const std::size_t variants = std::set<u32>(use.begin(), use.end()).size();
        if (variants < fewest) {
            fewest = variants;
            best = i;
        }
    }
    Assignment assignment = assign(uses_[first + best], pool);
    assignment.peers = static_cast<PeerEncoding>(best);
    return assignment;
}

void PlaceVariants::finish(std::string_view arguments, StructurePool& pool,
                           ProxyPlace& place) const {
    place.count = assign(uses_.front(), pool);
    std::size_t column = 1;
    for (const char letter : arguments) {
        if (letter == 'p') {
            place.arguments.push_back(assign_peers(column, pool));
        } else {
            place.arguments.push_back(assign(uses_[column], pool));
            if (letter == 'l') place.arguments.push_back(assign(uses_[column + 1], pool));
        }
        column += columns_for(letter);
    }
}

}  // namespace tracefold
