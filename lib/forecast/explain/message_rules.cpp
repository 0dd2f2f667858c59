// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "forecast/explain/rule.hpp"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace tracefold {

namespace {

constexpr u64 kSmallMessage = 4096;    ///< bytes
constexpr u64 kLargeMessage = 131072;  ///< bytes
constexpr u64 kFewBatches = 3;         ///< of a rank
constexpr u64 kStepsPerCreation = 10;

/// Rules over messages and collective operations.
class MessageRules : Rule {
  public:
    using Rule::Rule;

    void find() {
        find_messages();
        find_calls_in_loop();
    }

  private:
    /// Calls in a row on a rank without computation between them.
    struct Batch {
        u32 first = 0;
        u32 end = 0;
        u64 messages = 0;  ///< to, or from, the partner with most
        u64 bytes = 0;     ///< of the largest
        u64 collectives = 0;
        MpiFunction function = MpiFunction::other;
    };

    [[nodiscard]] std::vector<Batch> batches() const {
        std::vector<Batch> all;
        for (u32 rank = 0; rank < graph_.ranks; ++rank) {
            std::vector<double> own;
            for (u32 call = graph_.first[rank]; call < graph_.first[rank + 1]; ++call) {
                own.push_back(static_cast<double>(evidence_.recorded.own[call]));
            }
            const double little = std::max(median(own), 2e-6 / evidence_.seconds(1));
            for (u32 call = graph_.first[rank]; call < graph_.first[rank + 1];) {
                Batch batch{call, call};
                std::map<u32, u64> by_peer;
                std::map<u32, u64> by_sender;
                std::map<MpiFunction, u64> by_function;
                while (batch.end < graph_.first[rank + 1]) {
                    const Call& it = graph_.calls[batch.end];
                    const bool goes_on =
                        batch.end == call ||
                        static_cast<double>(evidence_.recorded.computation[batch.end]) <= little;
                    if (!goes_on || !moves_data(it)) break;
                    if (it.messages != 0) {
                        by_peer[it.peer] += it.messages;
                        batch.bytes = std::max(batch.bytes, it.bytes / it.messages);
                    }
                    for (const RunGraph::Need& need : graph_.needs_of(batch.end)) {
                        if (need.count != 0 || need.kind != RunDurations::messages) continue;
                        const Call& sender = graph_.calls[need.source];
                        if (sender.messages == 0) continue;
                        ++by_sender[graph_.rank_of[need.source]];
                        batch.bytes = std::max(batch.bytes, sender.bytes / sender.messages);
                    }
                    if (is_collective(it.family)) {
                        ++by_function[it.function];
                        batch.bytes = std::max(batch.bytes, it.bytes);
                    }
                    ++batch.end;
                }
                for (const auto* const numbers : {&by_peer, &by_sender}) {
                    for (const auto& [peer, count] : *numbers) {
                        batch.messages = std::max(batch.messages, count);
                    }
                }
                for (const auto& [function, count] : by_function) {
                    if (count <= batch.collectives) continue;
                    batch.collectives = count;
                    batch.function = function;
                }
                if (batch.end > batch.first + 1) all.push_back(batch);
                call = std::max(batch.end, call + 1);
            }
        }
        return all;
    }

    void find_messages() {
        find_batches();
        std::vector<bool> large(graph_.calls.size());
        u32 example = kNone;
        for (const RunGraph::Message& message : graph_.messages) {
            if (message.bytes < kLargeMessage) continue;
            large[message.sender] = true;
            large[message.receiver] = true;
            if (example == kNone) example = message.sender;
        }
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            const Call& it = graph_.calls[call];
            if (it.messages != 0 || it.bytes < kLargeMessage || !moves_data(it)) continue;
            large[call] = true;
            if (example == kNone) example = call;
        }
        if (example == kNone) return;
        std::vector<bool> large_list(graph_.lists.size());
        for (std::size_t list = 0; list < graph_.lists.size(); ++list) {
            large_list[list] =
                std::ranges::any_of(graph_.lists[list], [&](u32 call) { return large[call]; });
        }
        // The completion of a transfer takes its time, and a collective that of all members.
        for (u32 call = 0; call < graph_.calls.size(); ++call) {
            for (const RunGraph::Need& need : graph_.needs_of(call)) {
                const bool is_large_need =
                    need.count == 0 ? large[need.source] : large_list[need.source];
                if (is_large_need) large[call] = true;
            }
        }
        Candidate& made =
            add(Kind::bandwidth, [large](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    if (large[call]) durations.own[call] = 0;
                }
            });
        made.cause.is_limit = true;
        made.cause.path = path_of_call(example);
        add_sizes(made, example);
    }

    void find_batches() {
        std::vector<float> of_messages(graph_.calls.size(), 1);
        std::vector<float> of_collectives(graph_.calls.size(), 1);
        u64 largest_batch = 0;
        u64 largest_row = 0;
        u32 message = kNone;
        u32 collective = kNone;
        MpiFunction function{};
        const std::vector<Batch> all = batches();
        // A program that does not compute at all is one batch.
        std::map<u32, u64> count;
        for (const Batch& batch : all) {
            if (std::max(batch.messages, batch.collectives) >= kBatch) {
                ++count[graph_.rank_of[batch.first]];
            }
        }
        for (const Batch& batch : all) {
            if (count[graph_.rank_of[batch.first]] < kFewBatches) continue;
            if (batch.messages >= kBatch && batch.bytes <= kSmallMessage) {
                std::fill(of_messages.begin() + batch.first, of_messages.begin() + batch.end,
                          1.0F / static_cast<float>(batch.messages));
                if (batch.messages > largest_batch) message = batch.first;
                largest_batch = std::max(largest_batch, batch.messages);
            } else if (batch.collectives >= kBatch && batch.bytes <= kSmallMessage) {
                std::fill(of_collectives.begin() + batch.first, of_collectives.begin() + batch.end,
                          1.0F / static_cast<float>(batch.collectives));
                if (batch.collectives > largest_row) collective = batch.first;
                if (batch.collectives > largest_row) function = batch.function;
                largest_row = std::max(largest_row, batch.collectives);
            }
        }
        const auto shrink = [](std::vector<float> factors) {
            return [factors = std::move(factors)](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    if (factors[call] == 1) continue;
                    durations.own[call] = scaled(durations.own[call], factors[call]);
                }
            };
        };
        if (message != kNone) {
            Candidate& made = add(are_answers(message) ? Kind::latency : Kind::small_messages,
                                  shrink(std::move(of_messages)));
            made.cause.path = path_of_call(message);
            add_sizes(made, first_send(message));
        }
        if (collective != kNone) {
            Candidate& made = add(Kind::many_collectives, shrink(std::move(of_collectives)));
            made.cause.path = path_of_call(first_of(function));
            add_calls(made, first_of(function));
        }
    }

    /// Whether the messages of a batch each wait for the answer to the one before: those of most
    /// partners alternate between both directions.
    [[nodiscard]] bool are_answers(u32 first) const {
        const u32 end = graph_.first[graph_.rank_of[first] + 1];
        while (first < end && !is_message_call(graph_.calls[first])) ++first;
        std::map<u32, std::pair<u64, u64>> by_peer;
        u64 not_blocking = 0;
        u64 all = 0;
        for (u32 call = first; call < end && all < 4 * kBatch; ++call) {
            const Call& it = graph_.calls[call];
            if (!is_message_call(it)) break;
            if (it.family == CallFamily::probe) continue;
            ++all;
            std::set<u32> partners;
            receives(call, &partners);
            const bool is_blocking =
                it.family == CallFamily::send || it.family == CallFamily::receive ||
                (it.family == CallFamily::send_receive && !exchanges_at_once(call));
            if (!is_blocking) ++not_blocking;
            if (it.messages != 0) ++by_peer[it.peer].first;
            for (const u32 partner : partners) ++by_peer[partner].second;
        }
        const auto alternates = [](const auto& peer) {
            const auto [sent, received] = peer.second;
            return std::max(sent, received) <= std::min(sent, received) + 1 + sent / 4;
        };
        return all != 0 && not_blocking * 4 <= all && std::ranges::all_of(by_peer, alternates);
    }

    /// Whether an exchange with one partner goes in both directions at once: the partner does not
    /// wait for the message before it sends.
    [[nodiscard]] bool exchanges_at_once(u32 call) const {
        return std::ranges::any_of(graph_.needs_of(call), [&](const RunGraph::Need& need) {
            if (need.count != 0 || need.kind != RunDurations::messages) return false;
            return graph_.rank_of[need.source] == graph_.calls[call].peer &&
                   graph_.calls[need.source].family != CallFamily::send;
        });
    }

    /// The first call from one on that sends.
    [[nodiscard]] u32 first_send(u32 call) const {
        while (call < graph_.calls.size() && graph_.calls[call].messages == 0) ++call;
        return call < graph_.calls.size() ? call : kNone;
    }

    void find_calls_in_loop() {
        const auto makes = [](const Call& call) {
            return call.family == CallFamily::comm_create || call.family == CallFamily::comm_free;
        };
        u64 made_on_first = 0;
        u32 example = kNone;
        for (u32 call = graph_.first[0]; call < graph_.first[1]; ++call) {
            const Call& it = graph_.calls[call];
            if (it.family != CallFamily::comm_create || it.step >= RunGraph::kBefore) continue;
            ++made_on_first;
            example = call;
        }
        if (example == kNone || made_on_first * kStepsPerCreation <= graph_.steps) return;
        Candidate& made =
            add(Kind::communicators, [makes](const RunGraph& graph, RunDurations& durations) {
                for (u32 call = 0; call < graph.calls.size(); ++call) {
                    if (!makes(graph.calls[call]) || graph.calls[call].step >= RunGraph::kBefore)
                        continue;
                    durations.own[call] = 0;
                    durations.ignored[call] = RunDurations::all;
                }
            });
        made.cause.path = path_of_call(example);
        add_calls(made, example);
    }
};

}  // namespace

void find_message_causes(const RunEvidence& evidence, std::vector<Candidate>& found) {
    MessageRules(evidence, found).find();
}

}  // namespace tracefold
