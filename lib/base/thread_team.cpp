// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "base/thread_team.hpp"

#include "base/communicator.hpp"
#include "base/error.hpp"
#include "base/parallel.hpp"

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <utility>

namespace tracefold {

namespace {

/// Ends a thread whose partner has left the team by an exception.
struct PartnerLeft {};

class TeamState {
  public:
    using Queue = std::deque<std::string>;
    enum Channel : u8 { kBlocking, kInFlight };

    void set_size(int size) {
        size_ = size;
        queues_.resize(2 * at(size, 0));
        bytes_.resize(at(1, 0));
        values_.resize(at(1, 0));
    }
    [[nodiscard]] int size() const { return size_; }

    /// Marks the team as broken by an exception: threads that wait for this one end as well.
    void leave() {
        const std::scoped_lock lock(mutex_);
        broken_ = true;
        changed_.notify_all();
    }

    void put(Channel channel, int from, int to, std::string bytes) {
        const std::scoped_lock lock(mutex_);
        queue(channel, from, to).push_back(std::move(bytes));
        changed_.notify_all();
    }
    std::string wait_for(Channel channel, int from, int to) {
        std::unique_lock lock(mutex_);
        Queue& waiting = queue(channel, from, to);
        wait(lock, [&waiting] { return !waiting.empty(); });
        return take(waiting);
    }
    bool try_take(Channel channel, int from, int to, std::string& bytes) {
        const std::scoped_lock lock(mutex_);
        Queue& waiting = queue(channel, from, to);
        if (waiting.empty() && broken_) throw PartnerLeft();
        if (waiting.empty()) return false;
        bytes = take(waiting);
        return true;
    }

    void barrier() {
        std::unique_lock lock(mutex_);
        const u64 round = round_;
        if (++arrived_ == size_) {
            arrived_ = 0;
            ++round_;
            changed_.notify_all();
            return;
        }
        wait(lock, [this, round] { return round_ != round; });
    }

    /// A slot that its thread writes before a barrier, and others read before the next one.
    std::string& bytes_of(int rank) { return bytes_[at(0, rank)]; }
    u64& value_of(int rank) { return values_[at(0, rank)]; }
    [[nodiscard]] const std::vector<u64>& values() const { return values_; }

  private:
    [[nodiscard]] std::size_t at(int row, int column) const {
        return static_cast<std::size_t>(row) * static_cast<std::size_t>(size_) +
               static_cast<std::size_t>(column);
    }
    Queue& queue(Channel channel, int from, int to) {
        return queues_[2 * at(from, to) + static_cast<std::size_t>(channel)];
    }
    static std::string take(Queue& waiting) {
        std::string bytes = std::move(waiting.front());
        waiting.pop_front();
        return bytes;
    }
    template <class Ready>
    void wait(std::unique_lock<std::mutex>& lock, const Ready& ready) {
        changed_.wait(lock, [this, &ready] { return ready() || broken_; });
        if (!ready()) throw PartnerLeft();
    }

    std::mutex mutex_;
    std::condition_variable changed_;
    int size_ = 1;
    bool broken_ = false;
    int arrived_ = 0;
    u64 round_ = 0;  ///< number of completed barriers
    std::vector<Queue> queues_;
    std::vector<std::string> bytes_;
    std::vector<u64> values_;
};

/// A send completes at once: the message is queued in the state.
class TeamSend final : public MessageInFlight {
  public:
    bool test() override { return true; }
    std::string take() override { return {}; }
};

class TeamReceive final : public MessageInFlight {
  public:
    TeamReceive(TeamState& state, int from, int to) : state_(state), from_(from), to_(to) {}

    bool test() override {
        if (!complete_) complete_ = state_.try_take(TeamState::kInFlight, from_, to_, bytes_);
        if (!complete_) std::this_thread::yield();
        return complete_;
    }
    std::string take() override { return std::move(bytes_); }

  private:
    TeamState& state_;
    int from_;
    int to_;
    bool complete_ = false;
    std::string bytes_;
};

/// The communicator of one thread of the team.
class TeamMember final : public Communicator {
  public:
    TeamMember(TeamState& state, int rank) : state_(state), rank_(rank) {}

    [[nodiscard]] int rank() const override { return rank_; }
    [[nodiscard]] int size() const override { return state_.size(); }

    void send(int to, std::string_view bytes) override {
        check_partner(to);
        state_.put(TeamState::kBlocking, rank_, to, std::string(bytes));
    }
    std::string receive(int from) override {
        check_partner(from);
        return state_.wait_for(TeamState::kBlocking, from, rank_);
    }
    std::unique_ptr<MessageInFlight> start_send(int to, std::string bytes) override {
        check_partner(to);
        state_.put(TeamState::kInFlight, rank_, to, std::move(bytes));
        return std::make_unique<TeamSend>();
    }
    std::unique_ptr<MessageInFlight> start_receive(int from) override {
        check_partner(from);
        return std::make_unique<TeamReceive>(state_, from, rank_);
    }

    void barrier() override { state_.barrier(); }

    std::string broadcast(std::string bytes, int root) override {
        if (rank_ == root) state_.bytes_of(root) = std::move(bytes);
        state_.barrier();
        std::string all = state_.bytes_of(root);
        state_.barrier();
        return all;
    }
    std::vector<std::string> gather(std::string_view bytes, int root) override {
        state_.bytes_of(rank_) = bytes;
        state_.barrier();
        std::vector<std::string> all;
        if (rank_ == root) {
            for (int from = 0; from < size(); ++from) all.push_back(state_.bytes_of(from));
        }
        state_.barrier();
        return all;
    }
    std::vector<u64> all_gather(u64 value) override {
        state_.value_of(rank_) = value;
        state_.barrier();
        std::vector<u64> all = state_.values();
        state_.barrier();
        return all;
    }
    void abort(int) override {}

  private:
    void check_partner(int partner) const {
        if (partner < 0 || partner >= size() || partner == rank_) {
            throw Error(ErrorKind::internal, "thread {} of {} cannot communicate with thread {}",
                        rank_, size(), partner);
        }
    }

    TeamState& state_;
    int rank_;
};

/// Threads that start together once their number is known.
class Team {
  public:
    explicit Team(const std::function<void(Communicator&)>& work) : work_(work) {}

    void run(u32 threads) {
        failures_.resize(threads);
        std::vector<std::thread> others;
        others.reserve(threads);  // a thread that runs cannot be dropped
        for (u32 rank = 1; rank < threads; ++rank) {
            std::thread other = try_start_thread([this, rank] { begin(static_cast<int>(rank)); });
            if (!other.joinable()) break;
            others.push_back(std::move(other));
        }
        {
            const std::scoped_lock lock(mutex_);
            state_.set_size(static_cast<int>(others.size()) + 1);
            has_size_ = true;
        }
        begins_.notify_all();
        take_part(0);
        for (std::thread& other : others) other.join();
        for (const std::exception_ptr& failure : failures_) {
            if (failure) std::rethrow_exception(failure);
        }
    }

  private:
    void begin(int rank) {
        {
            std::unique_lock lock(mutex_);
            begins_.wait(lock, [this] { return has_size_; });
        }
        take_part(rank);
    }

    void take_part(int rank) {
        try {
            TeamMember member(state_, rank);
            work_(member);
        } catch (const PartnerLeft&) {
        } catch (...) {
            failures_[static_cast<std::size_t>(rank)] = std::current_exception();
            state_.leave();
        }
    }

    const std::function<void(Communicator&)>& work_;
    std::mutex mutex_;
    std::condition_variable begins_;
    bool has_size_ = false;
    TeamState state_;
    std::vector<std::exception_ptr> failures_;  ///< indexed by rank
};

}  // namespace

void run_as_team(u32 threads, const std::function<void(Communicator&)>& work) {
    if (threads > 1) return Team(work).run(threads);
    SerialCommunicator alone;
    work(alone);
}

}  // namespace tracefold
