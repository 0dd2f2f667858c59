// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "replay/packed_calls.hpp"

#include <cstring>
#include <tuple>

namespace tracefold {

namespace {

/// How a call or an action is packed.
enum class Form : u8 {
    whole,       ///< as it is
    plain,       ///< a call: the fields below
    message,     ///< an action: likewise
    collective,  ///< an action: likewise
};

constexpr std::tuple kPlainCall{&MpiCall::function, &MpiCall::family, &MpiCall::by_records,
                                &MpiCall::region,   &MpiCall::index,  &MpiCall::begin,
                                &MpiCall::end};
constexpr std::tuple kMessage{&Action::kind, &Action::known,   &Action::type,
                              &Action::time, &Action::request, &Action::envelope};
constexpr std::tuple kCollective{&Action::kind, &Action::known,   &Action::type,
                                 &Action::time, &Action::request, &Action::part};

/// Whether the fields of a plain call are all that it has. New fields have to be looked at here.
bool is_plain(const MpiCall& call) {
    static_assert(sizeof(MpiCall) == 104);
    return call.treatment == MpiCall::Treatment::as_recorded && call.inferred == Envelope{} &&
           call.paced_begin == call.begin && call.paced_end == call.end && !call.found &&
           !call.unreceived && !call.dropped;
}

/// Whether an action has the usual values in all other fields.
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

}  // namespace tracefold
