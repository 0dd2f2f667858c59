// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_fields.hpp"

// clang-format off
/// Every event record of OTF2 3.2, in the order of OTF2's type numbers: X(name, fields...).
/// Reading, writing, printing and folding are generated from this list; `one` and `many` are
/// tracefold::fields, `K` is FieldKind, `W` is Width.
#define TRACEFOLD_EVENTS(X)                                                                      \
    X(BufferFlush, one("stop_time", K::ticks))                                                   \
    X(MeasurementOnOff, one("measurement_mode", K::enumeration))                                 \
    X(Enter, one("region", K::region))                                                           \
    X(Leave, one("region", K::region))                                                           \
    X(MpiSend,                                                                                   \
       one("receiver", K::peer), one("communicator", K::comm), one("msg_tag", K::tag),           \
       one("msg_length", K::bytes))                                                              \
    X(MpiIsend,                                                                                  \
       one("receiver", K::peer), one("communicator", K::comm), one("msg_tag", K::tag),           \
       one("msg_length", K::bytes), one("request_id", K::request_new))                           \
    X(MpiIsendComplete, one("request_id", K::request_done))                                      \
    X(MpiIrecvRequest, one("request_id", K::request_new))                                        \
    X(MpiRecv,                                                                                   \
       one("sender", K::peer), one("communicator", K::comm), one("msg_tag", K::tag),             \
       one("msg_length", K::bytes))                                                              \
    X(MpiIrecv,                                                                                  \
       one("sender", K::peer), one("communicator", K::comm), one("msg_tag", K::tag),             \
       one("msg_length", K::bytes), one("request_id", K::request_done))                          \
    X(MpiRequestTest, one("request_id", K::request_used))                                        \
    X(MpiRequestCancelled, one("request_id", K::request_done))                                   \
    X(MpiCollectiveBegin)                                                                        \
    X(MpiCollectiveEnd,                                                                          \
       one("collective_op", K::op), one("communicator", K::comm), one("root", K::root),          \
       one("size_sent", K::bytes), one("size_received", K::bytes))                               \
    X(OmpFork, one("number_of_requested_threads", K::value, W::packed32))                        \
    X(OmpJoin)                                                                                   \
    X(OmpAcquireLock,                                                                            \
       one("lock_id", K::value, W::packed32), one("acquisition_order", K::value, W::packed32))   \
    X(OmpReleaseLock,                                                                            \
       one("lock_id", K::value, W::packed32), one("acquisition_order", K::value, W::packed32))   \
    X(OmpTaskCreate, one("task_id", K::value))                                                   \
    X(OmpTaskSwitch, one("task_id", K::value))                                                   \
    X(OmpTaskComplete, one("task_id", K::value))                                                 \
    X(Metric,                                                                                    \
       one("metric", K::metric), one("number_of_metrics", K::count), many("type_ids", K::type),  \
       many("metric_values", K::value))                                                          \
    X(ParameterString, one("parameter", K::parameter), one("string", K::string))                 \
    X(ParameterInt, one("parameter", K::parameter), one("value", K::signed_value))               \
    X(ParameterUnsignedInt, one("parameter", K::parameter), one("value", K::value))              \
    X(RmaWinCreate, one("win", K::rma_win))                                                      \
    X(RmaWinDestroy, one("win", K::rma_win))                                                     \
    X(RmaCollectiveBegin)                                                                        \
    X(RmaCollectiveEnd,                                                                          \
       one("collective_op", K::op), one("sync_level", K::enumeration, W::packed32),              \
       one("win", K::rma_win), one("root", K::root), one("bytes_sent", K::bytes),                \
       one("bytes_received", K::bytes))                                                          \
    X(RmaGroupSync,                                                                              \
       one("sync_level", K::enumeration, W::packed32), one("win", K::rma_win),                   \
       one("group", K::group))                                                                   \
    X(RmaRequestLock,                                                                            \
       one("win", K::rma_win), one("remote", K::peer), one("lock_id", K::value),                 \
       one("lock_type", K::enumeration))                                                         \
    X(RmaAcquireLock,                                                                            \
       one("win", K::rma_win), one("remote", K::peer), one("lock_id", K::value),                 \
       one("lock_type", K::enumeration))                                                         \
    X(RmaTryLock,                                                                                \
       one("win", K::rma_win), one("remote", K::peer), one("lock_id", K::value),                 \
       one("lock_type", K::enumeration))                                                         \
    X(RmaReleaseLock, one("win", K::rma_win), one("remote", K::peer), one("lock_id", K::value))  \
    X(RmaSync, one("win", K::rma_win), one("remote", K::peer), one("sync_type", K::enumeration)) \
    X(RmaWaitChange, one("win", K::rma_win))                                                     \
    X(RmaPut,                                                                                    \
       one("win", K::rma_win), one("remote", K::peer), one("bytes", K::bytes),                   \
       one("matching_id", K::matching_id))                                                       \
    X(RmaGet,                                                                                    \
       one("win", K::rma_win), one("remote", K::peer), one("bytes", K::bytes),                   \
       one("matching_id", K::matching_id))                                                       \
    X(RmaAtomic,                                                                                 \
       one("win", K::rma_win), one("remote", K::peer), one("type", K::enumeration),              \
       one("bytes_sent", K::bytes), one("bytes_received", K::bytes),                             \
       one("matching_id", K::matching_id))                                                       \
    X(RmaOpCompleteBlocking, one("win", K::rma_win), one("matching_id", K::matching_id))         \
    X(RmaOpCompleteNonBlocking, one("win", K::rma_win), one("matching_id", K::matching_id))      \
    X(RmaOpTest, one("win", K::rma_win), one("matching_id", K::matching_id))                     \
    X(RmaOpCompleteRemote, one("win", K::rma_win), one("matching_id", K::matching_id))           \
    X(ThreadFork,                                                                                \
       one("model", K::paradigm), one("number_of_requested_threads", K::value, W::packed32))     \
    X(ThreadJoin, one("model", K::paradigm))                                                     \
    X(ThreadTeamBegin, one("thread_team", K::comm))                                              \
    X(ThreadTeamEnd, one("thread_team", K::comm))                                                \
    X(ThreadAcquireLock,                                                                         \
       one("model", K::paradigm), one("lock_id", K::value, W::packed32),                         \
       one("acquisition_order", K::value, W::packed32))                                          \
    X(ThreadReleaseLock,                                                                         \
       one("model", K::paradigm), one("lock_id", K::value, W::packed32),                         \
       one("acquisition_order", K::value, W::packed32))                                          \
    X(ThreadTaskCreate,                                                                          \
       one("thread_team", K::comm), one("creating_thread", K::value, W::packed32),               \
       one("generation_number", K::value, W::packed32))                                          \
    X(ThreadTaskSwitch,                                                                          \
       one("thread_team", K::comm), one("creating_thread", K::value, W::packed32),               \
       one("generation_number", K::value, W::packed32))                                          \
    X(ThreadTaskComplete,                                                                        \
       one("thread_team", K::comm), one("creating_thread", K::value, W::packed32),               \
       one("generation_number", K::value, W::packed32))                                          \
    X(ThreadCreate, one("thread_contingent", K::comm), one("sequence_count", K::value))          \
    X(ThreadBegin, one("thread_contingent", K::comm), one("sequence_count", K::value))           \
    X(ThreadWait, one("thread_contingent", K::comm), one("sequence_count", K::value))            \
    X(ThreadEnd, one("thread_contingent", K::comm), one("sequence_count", K::value))             \
    X(CallingContextEnter,                                                                       \
       one("calling_context", K::calling_context),                                               \
       one("unwind_distance", K::value, W::packed32))                                            \
    X(CallingContextLeave, one("calling_context", K::calling_context))                           \
    X(CallingContextSample,                                                                      \
       one("calling_context", K::calling_context),                                               \
       one("unwind_distance", K::value, W::packed32),                                            \
       one("interrupt_generator", K::interrupt_generator))                                       \
    X(IoCreateHandle,                                                                            \
       one("handle", K::io_handle), one("mode", K::enumeration),                                 \
       one("creation_flags", K::enumeration, W::packed32),                                       \
       one("status_flags", K::enumeration, W::packed32))                                         \
    X(IoDestroyHandle, one("handle", K::io_handle))                                              \
    X(IoDuplicateHandle,                                                                         \
       one("old_handle", K::io_handle), one("new_handle", K::io_handle),                         \
       one("status_flags", K::enumeration, W::packed32))                                         \
    X(IoSeek,                                                                                    \
       one("handle", K::io_handle), one("offset_request", K::signed_value),                      \
       one("whence", K::enumeration), one("offset_result", K::value))                            \
    X(IoChangeStatusFlags,                                                                       \
       one("handle", K::io_handle), one("status_flags", K::enumeration, W::packed32))            \
    X(IoDeleteFile, one("io_paradigm", K::io_paradigm), one("file", K::io_file))                 \
    X(IoOperationBegin,                                                                          \
       one("handle", K::io_handle), one("mode", K::enumeration),                                 \
       one("operation_flags", K::enumeration, W::packed32), one("bytes_request", K::bytes),      \
       one("matching_id", K::matching_id))                                                       \
    X(IoOperationTest, one("handle", K::io_handle), one("matching_id", K::matching_id))          \
    X(IoOperationIssued, one("handle", K::io_handle), one("matching_id", K::matching_id))        \
    X(IoOperationComplete,                                                                       \
       one("handle", K::io_handle), one("bytes_result", K::bytes),                               \
       one("matching_id", K::matching_id))                                                       \
    X(IoOperationCancelled, one("handle", K::io_handle), one("matching_id", K::matching_id))     \
    X(IoAcquireLock, one("handle", K::io_handle), one("lock_type", K::enumeration))              \
    X(IoReleaseLock, one("handle", K::io_handle), one("lock_type", K::enumeration))              \
    X(IoTryLock, one("handle", K::io_handle), one("lock_type", K::enumeration))                  \
    X(ProgramBegin,                                                                              \
       one("program_name", K::string), one("number_of_arguments", K::count, W::packed32),        \
       many("program_arguments", K::string))                                                     \
    X(ProgramEnd, one("exit_status", K::signed_value))                                           \
    X(NonBlockingCollectiveRequest, one("request_id", K::request_new))                           \
    X(NonBlockingCollectiveComplete,                                                             \
       one("collective_op", K::op), one("communicator", K::comm), one("root", K::root),          \
       one("size_sent", K::bytes), one("size_received", K::bytes),                               \
       one("request_id", K::request_done))                                                       \
    X(CommCreate, one("communicator", K::comm))                                                  \
    X(CommDestroy, one("communicator", K::comm))                                                 \
    X(MpiProbe,                                                                                  \
       one("sender", K::peer), one("communicator", K::comm), one("msg_tag", K::tag),             \
       one("message_id", K::message_new))                                                        \
    X(MpiMrecv, one("message_id", K::message_used), one("msg_length", K::bytes))                 \
    X(MpiImrecvRequest, one("message_id", K::message_used), one("request_id", K::request_new))   \
    X(MpiImrecv, one("request_id", K::request_done), one("msg_length", K::bytes))
// clang-format on

namespace tracefold {

enum class EventType : u8 {
#define TRACEFOLD_ENUMERATOR(name, ...) name,
    TRACEFOLD_EVENTS(TRACEFOLD_ENUMERATOR)
#undef TRACEFOLD_ENUMERATOR
};

namespace detail {
using fields::many;
using fields::one;
using K = FieldKind;
using W = Width;
inline constexpr RecordInfo kEvents[] = {
#define TRACEFOLD_INFO(name, ...) RecordInfo(#name __VA_OPT__(, ) __VA_ARGS__),
    TRACEFOLD_EVENTS(TRACEFOLD_INFO)
#undef TRACEFOLD_INFO
};
}  // namespace detail

inline constexpr u8 kEventTypes = sizeof(detail::kEvents) / sizeof(detail::kEvents[0]);

/// Name and fields of an event type. Precondition: type < kEventTypes.
constexpr const RecordInfo& event_info(u8 type) { return detail::kEvents[type]; }
constexpr const RecordInfo& event_info(EventType type) { return event_info(static_cast<u8>(type)); }

/// The OTF2 record number of event type 0; the others follow consecutively.
inline constexpr u8 kFirstEventNumber = 10;
/// Event types from this one on were added in OTF2 3.2: libotf2 3.0 and 3.1 do not know them.
inline constexpr u8 kFirstEventOf32 = static_cast<u8>(EventType::MpiProbe);

}  // namespace tracefold
