// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "mpi/calls/batch_reader.hpp"

#include "base/bytes.hpp"
#include "base/communicator.hpp"
#include "base/error.hpp"

#include <algorithm>
#include <cstring>
#include <tuple>

namespace tracefold {

namespace {

/// The packed form of a call or an action.
enum class Form : u8 {
    whole,       ///< all fields
    plain,       ///< a call: the fields below
    message,     ///< an action: the fields below
    collective,  ///< an action: the fields below
};

constexpr std::tuple kPlainCall{&MpiCall::function, &MpiCall::family, &MpiCall::by_records,
                                &MpiCall::region,   &MpiCall::index,  &MpiCall::begin,
                                &MpiCall::end};
constexpr std::tuple kMessage{&Action::kind, &Action::known,   &Action::type,
                              &Action::time, &Action::request, &Action::envelope};
constexpr std::tuple kCollective{&Action::kind, &Action::known,   &Action::type,
                                 &Action::time, &Action::request, &Action::part};

/// True if a call has no other data than the fields of a plain call. Extend for new fields.
bool is_plain(const MpiCall& call) {
    static_assert(sizeof(MpiCall) == 104);
    return call.patch_effect == MpiCall::PatchEffect::as_recorded && call.inferred == Envelope{} &&
           call.paced_begin == call.begin && call.paced_end == call.end && !call.found &&
           !call.unreceived && !call.dropped;
}

/// True if all other fields of an action have their usual values.
template <class... Fields>
bool has_only(const Action& action, const std::tuple<Fields...>& fields) {
    Action other;
    std::apply([&](auto... field) { ((other.*field = action.*field), ...); }, fields);
    return other == action;
}

template <class... Values>
void put(AppendBuffer<char>& bytes, const Values&... values) {
    static_assert((std::is_trivially_copyable_v<Values> && ...));
    char* to = bytes.extend((sizeof values + ...));
    const auto copy = [&to](const auto& value) {
        std::memcpy(to, &value, sizeof value);
        to += sizeof value;
    };
    (copy(values), ...);
}

template <class Object, class... Fields>
void put_fields(AppendBuffer<char>& bytes, Form form, const Object& object,
                const std::tuple<Fields...>& fields) {
    std::apply([&](auto... field) { put(bytes, form, object.*field...); }, fields);
}

void put_action(AppendBuffer<char>& bytes, const Action& action) {
    if (has_only(action, kMessage)) {
        put_fields(bytes, Form::message, action, kMessage);
    } else if (has_only(action, kCollective)) {
        put_fields(bytes, Form::collective, action, kCollective);
    } else {
        put(bytes, Form::whole, action);
    }
}

template <class Value>
void get(const char*& from, Value& value) {
    std::memcpy(&value, from, sizeof value);
    from += sizeof value;
}

template <class Object, class... Fields>
void get_fields(const char*& from, Object& object, const std::tuple<Fields...>& fields) {
    object = {};
    std::apply([&](auto... field) { (get(from, object.*field), ...); }, fields);
}

void get_call(const char*& from, MpiCall& call) {
    Form form{};
    get(from, form);
    if (form == Form::whole) return get(from, call);
    get_fields(from, call, kPlainCall);
    call.paced_begin = call.begin;
    call.paced_end = call.end;
}

void get_action(const char*& from, Action& action) {
    Form form{};
    get(from, form);
    if (form == Form::whole) return get(from, action);
    if (form == Form::message) return get_fields(from, action, kMessage);
    get_fields(from, action, kCollective);
}

}  // namespace

void PackedCalls::clear() {
    bytes_.clear();
    size_ = 0;
    at_ = 0;
}

void PackedCalls::add(const MpiCall& call) {
    if (is_plain(call)) {
        put_fields(bytes_, Form::plain, call, kPlainCall);
    } else {
        put(bytes_, Form::whole, call);
    }
    put(bytes_, call.actions.size());
    for (const Action& action : call.actions) put_action(bytes_, action);
    ++size_;
}

void PackedCalls::assign(std::string_view bytes, std::size_t size) {
    clear();
    bytes_.append(bytes);
    size_ = size;
}

void PackedCalls::read(MpiCall& call, std::vector<Action>& actions) {
    const char* from = bytes_.data() + at_;
    get_call(from, call);
    std::size_t count = 0;
    get(from, count);
    actions.resize(count);
    for (Action& action : actions) get_action(from, action);
    call.actions = actions;
    at_ = static_cast<std::size_t>(from - bytes_.data());
}

void AheadBatch::clear() {
    calls.clear();
    times.clear();
    coming = {};
    is_last = false;
    failure = nullptr;
}

std::string AheadBatch::to_bytes() const {
    ByteWriter out;
    out.put_u8(is_last ? 1 : 0);
    const std::optional<Error> error =
        failure ? failure_of([this] { std::rethrow_exception(failure); }) : std::nullopt;
    out.put_u8(error ? 1 : 0);
    if (error) {
        out.put_u8(static_cast<u8>(error->kind()));
        out.put_text(error->what());
    }
    out.put_varint(coming.count);
    out.put_varint(coming.calls);
    out.put_varint(coming.place);
    out.put_varint(calls.size());
    out.put_text(calls.bytes());
    out.put_bytes({reinterpret_cast<const char*>(times.data()), times.size() * sizeof(u64)});
    return out.take();
}

void AheadBatch::take(std::string_view bytes) {
    ByteReader in(bytes, "the calls of another process");
    clear();
    is_last = in.get_u8() != 0;
    if (in.get_u8() != 0) {
        const auto kind = static_cast<ErrorKind>(in.get_u8());
        failure = std::make_exception_ptr(Error(kind, std::string(in.get_text())));
    }
    coming = {in.get_varint(), in.get_varint(), in.get_varint()};
    const u64 size = in.get_varint();
    calls.assign(in.get_text(), size);
    const std::string_view rest = in.get_bytes(in.remaining());
    times.resize(rest.size() / sizeof(u64));
    if (!times.empty()) std::memcpy(times.data(), rest.data(), times.size() * sizeof(u64));
}

LoopPauses<MpiCallReader>& CallBatchReader::calls() {
    if (!calls_) {
        MpiCallReader reader(file_, location_, times_);
        if (known_ != nullptr) reader.recall(*known_);
        const bool offers = limits_.offered != 0;
        if (offers) reader.remember_loops(limits_.offered);
        calls_.emplace(std::move(reader), offers);
    }
    calls_->begin(begin_);
    return *calls_;
}

void CallBatchReader::fill(AheadBatch& batch) {
    batch.clear();
    try {
        if (left_out_ != 0) {
            fill_times(batch);
        } else if (!ended_) {
            fill_calls(batch);
        }
    } catch (...) {
        batch.failure = std::current_exception();
        batch.is_last = true;
    }
    ended_ = ended_ || batch.is_last;
    batch.is_last = ended_;
}

void CallBatchReader::fill_calls(AheadBatch& batch) {
    LoopPauses<MpiCallReader>& from = calls();
    MpiCall call;
    while (batch.calls.size() < limits_.calls) {
        if (!from.next(call)) {
            batch.coming = from.coming();
            batch.is_last = batch.coming.count == 0;
            return;
        }
        batch.calls.add(call);
    }
}

void CallBatchReader::fill_times(AheadBatch& batch) {
    const std::size_t bytes = iteration_calls_ * 2 * sizeof(u64);
    const u64 iterations =
        std::clamp<u64>(limits_.calls * AheadLimits::kCallBytes / bytes, 1, left_out_);
    left_out_ -= iterations;
    batch.times.resize(iterations * iteration_calls_ * 2);
    for (u64 i = 0; i < iterations; ++i) {
        calls_->read_extents(batch.times.data() + i * iteration_calls_ * 2);
    }
}

void CallBatchReader::leave_out(u64 iterations) {
    iteration_calls_ = calls().coming().calls;
    calls_->leave_out(iterations);
    if (times_.kind != Times::skip) left_out_ = iterations;
}

}  // namespace tracefold
