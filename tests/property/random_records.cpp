// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "property/random_records.hpp"

#include <string>
#include <utility>
#include <vector>

namespace tracefold {

namespace {

u64 random_reference(RandomSource& random) {
    return random.one_in(20) ? random.any() & 0xFFFFFFFFU : random.below(9);
}

u64 random_peer(RandomSource& random) {
    static const std::vector<u64> special{0xFFFFFFFFU, 0xFFFFFFFEU, 0xFFFFFFFDU,
                                          0xFFFFFFF0U, 0xFFFFFFEFU, 0x80000000U};
    return random.one_in(5) ? random.pick(special) : random.below(12);
}

u64 random_field(RandomSource& random, FieldKind kind) {
    switch (kind) {
        case FieldKind::peer:
        case FieldKind::root:
            return random_peer(random);
        case FieldKind::op:
            return random.below(25);
        case FieldKind::request_new:
        case FieldKind::request_done:
        case FieldKind::request_used:
        case FieldKind::matching_id:
        case FieldKind::message_new:
        case FieldKind::message_used:
            return random.one_in(30) ? random.any() : random.below(7);
        case FieldKind::type:
            return random.below(256);
        case FieldKind::enumeration:
            return random.below(10);
        case FieldKind::location:
            return random.value();
        default:
            return is_mapped(kind) ? random_reference(random) : random.value();
    }
}

void push_attributes(RandomSource& random, RecordBatch& batch) {
    if (!random.one_in(8)) return;
    const u64 count = random.between(1, 3);
    for (u64 i = 0; i < count; ++i) {
        batch.push_attribute({static_cast<u32>(random_reference(random)),
                              static_cast<u8>(random.below(20)), random.value()});
    }
}

/// The fields of a record after the table; arrays get the length that their count says.
void push_fields(RandomSource& random, const RecordInfo& info, RecordBatch& batch) {
    u64 repeat = 0;
    for (u8 i = 0; i < info.field_count; ++i) {
        const Field& field = info.fields[i];
        if (field.kind == FieldKind::text) {
            std::string text;
            const u64 size = random.below(20);
            for (u64 k = 0; k < size; ++k) text.push_back(static_cast<char>(random.below(256)));
            batch.push_text(text);
        } else if (field.kind == FieldKind::count) {
            repeat = random.below(5);
            batch.push(repeat);
        } else {
            const u64 times = field.array ? repeat : 1;
            for (u64 k = 0; k < times; ++k) batch.push(random_field(random, field.kind));
        }
    }
}

/// Records with rising times, in which enters and leaves are common.
class EventWriter {
  public:
    explicit EventWriter(RandomSource& random) : random_(random), types_(all_types()) {}

    void write() {
        time_ += random_.one_in(3) ? 0 : random_.value() >> 8U;
        u8 type = random_.pick(types_);
        if (random_.one_in(3)) type = static_cast<u8>(random_.pick(frequent()));
        batch_.begin(type, time_);
        push_attributes(random_, batch_);
        push_fields(random_, event_info(type), batch_);
    }

    RecordBatch take() { return std::move(batch_); }

  private:
    static std::vector<u8> all_types() {
        std::vector<u8> types;
        for (u8 type = 0; type < kEventTypes; ++type) types.push_back(type);
        return types;
    }
    static const std::vector<EventType>& frequent() {
        static const std::vector<EventType> types{
            EventType::Enter,
            EventType::Leave,
            EventType::MpiIsend,
            EventType::MpiIrecvRequest,
            EventType::MpiIsendComplete,
            EventType::MpiIrecv,
            EventType::MpiRequestCancelled,
            EventType::MpiCollectiveEnd,
            EventType::NonBlockingCollectiveRequest,
            EventType::NonBlockingCollectiveComplete,
            EventType::CallingContextEnter,
            EventType::CallingContextLeave,
            EventType::MpiProbe,
            EventType::MpiImrecvRequest,
            EventType::MpiImrecv,
        };
        return types;
    }

    RandomSource& random_;
    std::vector<u8> types_;
    RecordBatch batch_;
    u64 time_ = 0;
};

/// An MPI program without its other ranks.
class ProgramWriter {
  public:
    ProgramWriter(RandomSource& random, u32 ranks, u32 rank)
        : random_(random),
          ranks_(ranks),
          rank_(rank),
          rule_(random.below(3)),
          mixed_(random.one_in(3)),
          special_peers_(random.one_in(3)),
          out_(50, random.below(3)) {}

    RecordBatch write() {
        out_.enter(Region::main);
        const u64 phases = random_.between(1, 4);
        for (u64 phase = 0; phase < phases; ++phase) {
            const u64 kind = random_.below(6);
            const u64 trips = random_.between(1, 8);
            if (random_.one_in(2)) out_.enter(Region::user);
            for (u64 trip = 0; trip < trips; ++trip) step(kind, trip);
        }
        if (random_.one_in(2)) out_.leave(Region::main);
        return out_.batch();
    }

  private:
    struct Request {
        u64 id;
        EventType completion;
    };

    void step(u64 kind, u64 trip) {
        switch (kind) {
            case 0:
                return messages(trip);
            case 1:
                return exchange();
            case 2:
                return collective(trip);
            case 3:
                return persistent(trip);
            case 4:
                return one_sided();
            default:
                exchange();
                return collective(trip);
        }
    }

    /// By a rule that ranks share: around a ring, of a butterfly, or the same for all.
    u64 peer() {
        const u64 k = random_.below(3);
        if (special_peers_ && random_.one_in(10)) return kNone;
        if (rule_ == 0) return (rank_ + k) % ranks_;
        return rule_ == 1 ? rank_ ^ k : k;
    }

    u64 comm() { return mixed_ ? random_.below(8) : kWorld; }

    void messages(u64 trip) {
        out_.call(Region::send, EventType::MpiSend, {peer(), kWorld, trip, 64});
        out_.call(Region::recv, EventType::MpiRecv, {peer(), comm(), trip, 64});
    }

    void post(bool receive) {
        const u64 id = ++last_request_;
        if (receive) out_.irecv(id);
        if (!receive) out_.isend(peer(), kWorld, 1, 128, id);
        open_.push_back({id, receive ? EventType::MpiIrecv : EventType::MpiIsendComplete});
    }

    void complete(const Request& request) {
        if (request.completion == EventType::MpiIsendComplete) {
            out_.sent(request.id);
        } else if (request.completion == EventType::MpiIrecv) {
            out_.received(peer(), comm(), random_.below(3), 128, request.id);
        } else {
            out_.event(request.completion, {random_.below(23), kWorld, 0, 8, 8, request.id});
        }
    }

    /// Takes out the request that completes next: mostly the oldest.
    Request next_done() {
        const u64 place = random_.one_in(3) ? random_.below(open_.size()) : 0;
        const Request request = open_[place];
        open_.erase(open_.begin() + static_cast<i64>(place));
        return request;
    }

    void exchange() {
        const u64 neighbours = random_.between(1, 4);
        for (u64 i = 0; i < 2 * neighbours; ++i) post(i < neighbours);
        if (random_.one_in(4)) {
            out_.call(Region::ibcast, EventType::NonBlockingCollectiveRequest, {++last_request_});
            open_.push_back({last_request_, EventType::NonBlockingCollectiveComplete});
        }
        while (!open_.empty() && !random_.one_in(10)) {
            const std::vector<Region> regions{Region::wait, Region::waitall, Region::waitany,
                                              Region::testsome};
            const Region region = random_.pick(regions);
            out_.enter(region);
            u64 count = region == Region::testsome ? random_.below(3) : 1;
            if (region == Region::waitall) count = open_.size();
            for (; count != 0 && !open_.empty(); --count) complete(next_done());
            out_.leave(region);
        }
        if (!open_.empty() && random_.one_in(2)) {
            out_.call(Region::wait, EventType::MpiRequestCancelled, {next_done().id});
        }
    }

    void collective(u64 trip) {
        const u64 root = trip % ranks_;
        const u64 bytes = 8 * (trip + 1);
        out_.enter(Region::bcast).event(EventType::MpiCollectiveBegin, {});
        out_.event(EventType::MpiCollectiveEnd,
                   {1, kWorld, root, root == rank_ ? ranks_ * bytes : 0, bytes});
        out_.leave(Region::bcast);
    }

    void persistent(u64 trip) {
        const u64 count = 1 + trip % 3;
        out_.enter(Region::startall);
        for (u64 i = 0; i < count; ++i) out_.event(EventType::MpiIrecvRequest, {1'000'000 + i});
        out_.leave(Region::startall).enter(Region::waitall);
        for (u64 i = 0; i < count; ++i) out_.received(peer(), kWorld, 0, 8, 1'000'000 + i);
        out_.leave(Region::waitall);
    }

    void one_sided() {
        const u64 id = ++last_request_;
        out_.call(Region::put, EventType::RmaPut, {random_.below(3), peer(), 8, id});
        out_.enter(Region::fence).event(EventType::RmaCollectiveBegin, {});
        out_.event(EventType::RmaOpCompleteBlocking, {0, id});
        out_.event(EventType::RmaCollectiveEnd, {0, 3, 0, kNone, 0, 0}).leave(Region::fence);
    }

    RandomSource& random_;
    u64 ranks_;
    u64 rank_;
    u64 rule_;
    bool mixed_;  ///< messages in several communicators
    bool special_peers_;
    RecordBuilder out_;
    std::vector<Request> open_;
    u64 last_request_ = 0;
};

}  // namespace

MappingTables random_tables(RandomSource& random) {
    std::vector<std::pair<FieldKind, IdPairs>> tables;
    for (int kind = 0; kind < kMappingKinds; ++kind) {
        if (random.one_in(3)) continue;
        IdPairs pairs;
        for (u64 raw = 0; raw < 10; ++raw) {
            if (!random.one_in(4)) pairs.emplace_back(raw, random_reference(random));
        }
        tables.emplace_back(static_cast<FieldKind>(static_cast<int>(FieldKind::string) + kind),
                            pairs);
    }
    return make_tables(tables);
}

RecordBatch random_events(RandomSource& random, u64 count) {
    EventWriter writer(random);
    for (u64 i = 0; i < count; ++i) writer.write();
    return writer.take();
}

RecordBatch random_program_events(RandomSource& random, u32 ranks, u32 rank) {
    return ProgramWriter(random, ranks, rank).write();
}

RecordBatch random_definitions(RandomSource& random, Stream stream, u64 count) {
    const u64 types =
        stream == Stream::global_definitions ? kDefinitionTypes - 2U : kDefinitionTypes;
    RecordBatch batch;
    for (u64 i = 0; i < count; ++i) {
        const u8 type = static_cast<u8>(random.below(types));
        batch.begin(type);
        push_fields(random, definition_info(type), batch);
    }
    return batch;
}

}  // namespace tracefold
