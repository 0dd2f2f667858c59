// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
// archive_of_log PREFIX RANKS DIRECTORY: an OTF2 archive of the calls that mpi_log.c wrote to
// PREFIX.0, PREFIX.1, ..., one location for each rank. Its clock counts calls, unless they have
// times.
#include "base/error.hpp"
#include "model/definition_index.hpp"
#include "mpi/collective_arguments.hpp"
#include "otf2/archive_writer.hpp"
#include "support/definition_writer.hpp"

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <sstream>
#include <string_view>

namespace tracefold {
namespace {

[[noreturn]] void fail(const std::string& what) { throw Error(ErrorKind::corrupt, what); }

constexpr std::string_view kTimes = " at ";
constexpr u64 kNanoseconds = 1'000'000'000;
/// Longer than any number of calls.
constexpr u64 kManyCalls = u64{1} << 40U;

/// The OTF2_CollectiveOp of a function.
u64 collective_of(const std::string& function) {
    static const std::map<std::string, CollectiveKind> kKinds = {
        {"MPI_Barrier", CollectiveKind::barrier},
        {"MPI_Bcast", CollectiveKind::bcast},
        {"MPI_Gather", CollectiveKind::gather},
        {"MPI_Gatherv", CollectiveKind::gatherv},
        {"MPI_Scatter", CollectiveKind::scatter},
        {"MPI_Scatterv", CollectiveKind::scatterv},
        {"MPI_Allgather", CollectiveKind::allgather},
        {"MPI_Allgatherv", CollectiveKind::allgatherv},
        {"MPI_Alltoall", CollectiveKind::alltoall},
        {"MPI_Alltoallv", CollectiveKind::alltoallv},
        {"MPI_Allreduce", CollectiveKind::allreduce},
        {"MPI_Reduce", CollectiveKind::reduce},
        {"MPI_Reduce_scatter", CollectiveKind::reduce_scatter},
        {"MPI_Reduce_scatter_block", CollectiveKind::reduce_scatter_block},
        {"MPI_Scan", CollectiveKind::scan},
        {"MPI_Exscan", CollectiveKind::exscan},
    };
    const auto found = kKinds.find(function);
    if (found == kKinds.end()) fail(function + " is no collective");
    return static_cast<u64>(found->second);
}

/// A line, word by word.
class Words {
  public:
    explicit Words(const std::string& line) : rest_(line) { rest_ >> next_; }

    [[nodiscard]] bool at_end() const { return next_.empty(); }
    [[nodiscard]] bool at_number() const {
        return next_.find_first_not_of("-0123456789") == std::string::npos && !at_end();
    }
    std::string word() {
        std::string word = std::move(next_);
        next_.clear();
        rest_ >> next_;
        return word;
    }
    u64 number() {
        if (!at_number()) fail("a line ends early");
        return static_cast<u64>(std::stoll(word()));
    }

  private:
    std::istringstream rest_;
    std::string next_;
};

/// The definitions of all ranks; ids by first appearance.
class Definitions {
  public:
    explicit Definitions(u64 ranks) : ranks_(ranks) {
        empty_ = writer_.string("");
        const u64 node = writer_.string("node");
        writer_.add(DefinitionType::SystemTreeNode, {0, node, node, kNone});
        writer_.add(DefinitionType::Group,
                    {groups_++, empty_, kGroupCommLocations, kParadigmMpi, 0, ranks});
        for (u64 rank = 0; rank < ranks; ++rank) writer_.batch().push(rank);
    }

    void clock(u64 resolution, u64 begin, u64 end) {
        writer_.add(DefinitionType::ClockProperties,
                    {resolution, begin, end - std::min(begin, end), ~u64{0}});
    }

    void location(u64 rank, u64 events) {
        const u64 name = writer_.string("MPI Rank " + std::to_string(rank));
        writer_.add(DefinitionType::LocationGroup, {rank, name, 1, 0, kNone});
        writer_.add(DefinitionType::Location, {rank, name, 1, events, rank});
    }

    u64 region(const std::string& name) {
        const auto [known, is_new] = regions_.try_emplace(name, regions_.size());
        if (is_new) {
            const u64 text = writer_.string(name);
            writer_.add(DefinitionType::Region,
                        {known->second, text, text, empty_, 0, kParadigmMpi, 0, empty_, 0, 0});
        }
        return known->second;
    }

    /// `members` and how many communicators of these members the rank had before name one.
    u64 comm(const std::vector<u64>& members, u64 before) {
        const auto [known, is_new] = comms_.try_emplace({members, before}, comms_.size());
        if (is_new) {
            writer_.add(DefinitionType::Group,
                        {groups_, empty_, kGroupCommGroup, kParadigmMpi, 0, members.size()});
            for (const u64 member : members) writer_.batch().push(member);
            const bool world = members.size() == ranks_ && before == 0;
            const u64 name = world ? writer_.string("MPI_COMM_WORLD") : empty_;
            writer_.add(DefinitionType::Comm, {known->second, name, groups_++, kNone, 0});
        }
        return known->second;
    }

    [[nodiscard]] const RecordBatch& records() const { return writer_.batch(); }

  private:
    u64 ranks_;
    DefinitionWriter writer_;
    u64 empty_ = 0;
    u64 groups_ = 0;
    std::map<std::string, u64> regions_;
    std::map<std::pair<std::vector<u64>, u64>, u64> comms_;
};

/// The events of one rank.
class RankEvents {
  public:
    explicit RankEvents(Definitions& definitions) : definitions_(definitions) {}

    void add(const std::string& line) {
        Words words(line);
        const std::string first = words.word();
        if (first == "comm") return add_comm(words);
        const u64 region = definitions_.region(first);
        const std::size_t times = line.rfind(kTimes);
        is_timed_ = times != std::string::npos;
        u64 end = time_;
        if (is_timed_) {
            Words at(line.substr(times + kTimes.size()));
            time_ = at.number();
            end = at.number();
        }
        first_ = std::min(first_, time_);
        event(EventType::Enter, {region});
        time_ = end;
        for (std::string word = words.word(); !word.empty() && word != "at"; word = words.word()) {
            add_action(first, word, words);
        }
        event(EventType::Leave, {region});
        if (!is_timed_) ++time_;
    }

    /// Whether the times are nanoseconds.
    [[nodiscard]] bool is_timed() const { return is_timed_; }
    [[nodiscard]] u64 begin() const { return first_; }
    [[nodiscard]] u64 end() const { return time_; }

    [[nodiscard]] const RecordBatch& batch() const { return batch_; }

  private:
    void add_comm(Words& words) {
        const u64 number = words.number();
        std::vector<u64> members;
        while (!words.at_end()) members.push_back(words.number());
        comms_[number] = definitions_.comm(members, like_[members]++);
    }

    void add_action(const std::string& function, const std::string& word, Words& words) {
        if (word == "post") return event(EventType::MpiIrecvRequest, {words.number()});
        if (word == "sent") return event(EventType::MpiIsendComplete, {words.number()});
        if (word == "make") return event(EventType::CommCreate, {comm(words)});
        if (word == "free") return event(EventType::CommDestroy, {comm(words)});
        if (word == "collective") {
            event(EventType::MpiCollectiveBegin, {});
            const u64 on = comm(words);
            const u64 root = words.number() & 0xFFFFFFFFU;
            const u64 sent = words.number();
            return event(EventType::MpiCollectiveEnd,
                         {collective_of(function), on, root, sent, words.number()});
        }
        const u64 request = word == "received" ? words.number() : 0;
        const u64 on = comm(words);
        const u64 peer = words.number();
        const u64 tag = words.number();
        const u64 bytes = words.number();
        if (word == "received") return event(EventType::MpiIrecv, {peer, on, tag, bytes, request});
        if (word == "receive") return event(EventType::MpiRecv, {peer, on, tag, bytes});
        if (word != "send") fail("no such action: " + word);
        if (!words.at_number()) return event(EventType::MpiSend, {peer, on, tag, bytes});
        event(EventType::MpiIsend, {peer, on, tag, bytes, words.number()});
    }

    void event(EventType type, std::initializer_list<u64> values) {
        std::copy(values.begin(), values.end(),
                  batch_.add(static_cast<u8>(type), time_, static_cast<u32>(values.size())));
    }

    u64 comm(Words& words) {
        const auto known = comms_.find(words.number());
        if (known == comms_.end()) fail("a communicator has no line");
        return known->second;
    }

    Definitions& definitions_;
    std::map<u64, u64> comms_;
    std::map<std::vector<u64>, u64> like_;
    RecordBatch batch_;
    u64 time_ = 0;
    u64 first_ = ~u64{0};
    bool is_timed_ = false;
};

void write(const std::string& prefix, u64 ranks, const std::string& directory) {
    Definitions definitions(ranks);
    ArchiveInfo info;
    info.name = "traces";
    info.event_chunk_size = u64{1} << 20U;
    info.definition_chunk_size = u64{1} << 22U;
    ArchiveWriter writer(directory, info, {.restore_anchor = false});
    bool is_timed = false;
    u64 begin = ~u64{0};
    u64 end = 0;
    for (u64 rank = 0; rank < ranks; ++rank) {
        RankEvents events(definitions);
        std::ifstream log(prefix + "." + std::to_string(rank));
        if (!log) fail("no log of rank " + std::to_string(rank));
        for (std::string line; std::getline(log, line);) events.add(line);
        is_timed = is_timed || events.is_timed();
        begin = std::min(begin, events.begin());
        end = std::max(end, events.end());
        definitions.location(rank, events.batch().size());
        writer.write_events(rank, events.batch());
        writer.close_location(rank);
    }
    if (is_timed) {
        definitions.clock(kNanoseconds, begin, end);
    } else {
        definitions.clock(1, 0, kManyCalls);
    }
    writer.write_global_definitions(definitions.records());
    writer.finish();
}

}  // namespace
}  // namespace tracefold

int main(int argc, char** argv) {
    try {
        if (argc != 4) throw std::invalid_argument("usage: archive_of_log PREFIX RANKS DIRECTORY");
        tracefold::write(argv[1], std::strtoull(argv[2], nullptr, 10), argv[3]);
        return 0;
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
}
