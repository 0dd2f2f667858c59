// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "export/export_format.hpp"
#include "export/formats/export_team.hpp"
#include "mpi/mpi_call_reader.hpp"
#include "mpi/schedule.hpp"

#include <cmath>

namespace tracefold {

namespace {

/// Limit of tags; each pair of ranks reuses them cyclically.
constexpr u64 kTags = u64{1} << 31U;

/// Writes the operations of one rank, and their dependencies.
class GoalWriter : public RankSink {
  public:
    GoalWriter(TextOut& out, const CommunicationSurvey& survey, const ExportOptions& options,
               ExportReport& report)
        : out_(out),
          survey_(survey),
          options_(options),
          report_(report),
          channels_(u64{survey.channel_count()} + survey.context_count()) {}

    /// LogGOPSim needs an operation on every rank.
    void end() {
        if (label_ == 0) calc(0, kNothing);
        report_.contain("send", sends_);
        report_.contain("recv", receives_);
        report_.contain("calc", calcs_);
    }

    void compute(u64 between_calls, u64 in_calls) override {
        const auto nanoseconds = static_cast<double>(between_calls + in_calls);
        const double units = std::round(nanoseconds / options_.calc_unit_ns);
        if (units >= 1) chain_ = calc(static_cast<u64>(units), chain_);
    }

    void send(const RankMessage& message, RequestSlot slot) override {
        keep(transfer(true, message.peer, message.channel, message.bytes, chain_), slot);
    }

    void receive(const RankMessage& message, RequestSlot slot) override {
        keep(transfer(false, message.peer, message.channel, message.bytes, chain_), slot);
    }

    ExportOutcome collective(const RankCollective& collective, RequestSlot slot) override {
        make_schedule(collective.exchange, collective.member, options_.collectives, schedule_);
        u64 last = chain_;
        for_each_round(schedule_, [&](std::span<const ScheduledMessage> round) {
            last = write_round(collective.context, round, last);
        });
        keep(last, slot);
        return ExportOutcome::expanded;
    }

    void wait(std::span<const RequestSlot> slots, bool /*all*/) override {
        const u64 join = calc(0, chain_);
        for (const RequestSlot slot : slots) require(join, done_[slot]);
        chain_ = join;
    }

  private:
    static constexpr u64 kNothing = 0;  ///< labels begin at 1

    u64 calc(u64 units, u64 after) {
        ++calcs_;
        out_ << 'l' << ++label_ << ": calc " << units << '\n';
        require(label_, after);
        return label_;
    }

    void require(u64 label, u64 after) {
        if (after != kNothing) out_ << 'l' << label << " requires l" << after << '\n';
    }

    u64 transfer(bool sends, u32 peer, u64 channel, u64 bytes, u64 after) {
        ++(sends ? sends_ : receives_);
        // Simulators do not count the first byte.
        out_ << 'l' << ++label_ << (sends ? ": send " : ": recv ") << std::max<u64>(bytes, 1)
             << (sends ? "b to " : "b from ") << peer << " tag " << tag(sends, peer, channel)
             << '\n';
        require(label_, after);
        return label_;
    }

    /// The n-th message of a channel to a rank has its own tag; the receiver counts likewise.
    u32 tag(bool sends, u32 peer, u64 channel) {
        u64& number = numbers_[(channel << 33U) | (u64{peer} << 1U) | (sends ? 1U : 0U)];
        const u64 result = number * channels_ + channel;
        if (++number >= std::max<u64>(1, kTags / channels_)) number = 0;
        return static_cast<u32>(result);
    }

    u64 write_round(const CommunicationSurvey::Context& context,
                    std::span<const ScheduledMessage> round, u64 after) {
        labels_.clear();
        const u64 channel = u64{survey_.channel_count()} + context.number;
        for (const ScheduledMessage& one : round) {
            labels_.push_back(
                transfer(one.sends, context.members[one.peer], channel, one.bytes, after));
        }
        if (labels_.size() == 1) return labels_.front();
        const u64 join = calc(0, kNothing);
        for (const u64 label : labels_) require(join, label);
        return join;
    }

    /// Blocking operations extend the chain; non-blocking ones are branches.
    void keep(u64 label, RequestSlot slot) {
        if (slot == kBlocking) {
            chain_ = label;
            return;
        }
        if (slot >= done_.size()) done_.resize(slot + 1, kNothing);
        done_[slot] = label;
    }

    TextOut& out_;
    const CommunicationSurvey& survey_;
    const ExportOptions& options_;
    ExportReport& report_;
    u64 channels_;
    u64 label_ = 0;
    u64 chain_ = kNothing;
    u64 sends_ = 0;
    u64 receives_ = 0;
    u64 calcs_ = 0;
    std::vector<u64> done_;  ///< by slot
    std::vector<u64> labels_;
    std::unordered_map<u64, u64> numbers_;
    std::vector<ScheduledMessage> schedule_;
};

}  // namespace

ExportReport write_goal(TraceFile& file, const std::string& output, const ExportOptions& options) {
    require_ranks(file, "a GOAL schedule");
    TextFile out(output, options.force);
    const CommunicationSurvey survey(file, options.threads, options.sizes);
    ExportTeam team(file, options);
    out << "num_ranks " << team.ranks() << '\n';
    team.run(team.ranks(), out, [&](ExportedPart& part, TextOut& text) {
        text << "\nrank " << part.number << " {\n";
        GoalWriter writer(text, survey, options, part.report);
        part.walk(survey, writer);
        writer.end();
        text << "}\n";
    });
    out.commit();
    return team.finish(out.size());
}

}  // namespace tracefold
