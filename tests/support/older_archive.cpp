// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "support/older_archive.hpp"

#include "model/definition_table.hpp"
#include "model/event_table.hpp"
#include "model/mpi_function.hpp"
#include "otf2/archive_writer.hpp"
#include "support/otf2_copy.hpp"

#include <optional>
#include <unordered_set>

namespace tracefold::testing {
namespace {

bool is_on_handle(u64 operation) {
    const auto kind = static_cast<CollectiveKind>(operation);
    return kind == CollectiveKind::create_handle || kind == CollectiveKind::destroy_handle;
}

/// Takes away the records that are about communicators and not about what happens on them.
class Filter {
  public:
    /// Requests of MPI_Comm_idup, by which its first record can be told.
    void note(const RecordBatch& batch) {
        for (const RecordBatch::Head& head : batch.heads()) {
            if (head.type != static_cast<u8>(EventType::NonBlockingCollectiveComplete)) continue;
            const auto v = batch.values(head);
            if (is_on_handle(v[0])) requests_.insert(v[5]);
        }
    }

    RecordBatch apply(const RecordBatch& batch) {
        RecordBatch kept;
        for (const RecordBatch::Head& head : batch.heads()) take(batch, head, kept);
        return kept;
    }

  private:
    void take(const RecordBatch& batch, const RecordBatch::Head& head, RecordBatch& kept) {
        const auto v = batch.values(head);
        switch (static_cast<EventType>(head.type)) {
            case EventType::CommCreate:
            case EventType::CommDestroy:
                return;
            case EventType::MpiCollectiveBegin:
                begin_.emplace();
                begin_->append(batch, head);
                return;
            case EventType::MpiCollectiveEnd:
                if (is_on_handle(v[0])) return begin_.reset();
                break;
            case EventType::NonBlockingCollectiveRequest:
                if (requests_.contains(v[0])) return;
                break;
            case EventType::NonBlockingCollectiveComplete:
                if (is_on_handle(v[0])) return;
                break;
            default:
                break;
        }
        // What begins a call is known when the call ends.
        if (begin_) kept.append(*begin_, begin_->heads().front());
        begin_.reset();
        kept.append(batch, head);
    }

    std::optional<RecordBatch> begin_;
    std::unordered_set<u64> requests_;
};

RecordBatch without_intercommunicators(const RecordBatch& batch) {
    RecordBatch kept;
    for (const RecordBatch::Head& head : batch.heads()) {
        if (head.type == static_cast<u8>(DefinitionType::InterComm)) continue;
        kept.append(batch, head);
    }
    return kept;
}

}  // namespace

void copy_as_older(ArchiveReader& reader, const std::string& directory,
                   bool keep_intercommunicators) {
    ArchiveWriter writer(directory, reader.info());
    reader.read_global_definitions([&](const RecordBatch& batch) {
        writer.write_global_definitions(
            keep_intercommunicators ? batch : without_intercommunicators(batch));
    });
    for (const u64 location : location_ids(reader)) {
        writer.write_local_definitions(location, {});
        reader.read_local_definitions(location, [&](const RecordBatch& batch) {
            writer.write_local_definitions(location, batch);
        });
        Filter filter;
        reader.read_events(location, [&](const RecordBatch& batch) { filter.note(batch); });
        writer.write_events(location, {});
        reader.read_events(location, [&](const RecordBatch& batch) {
            writer.write_events(location, filter.apply(batch));
        });
        writer.close_location(location);
    }
    writer.finish();
}

}  // namespace tracefold::testing
