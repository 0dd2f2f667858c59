// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#include "trace/definitions_io.hpp"

#include "core/error.hpp"
#include "fold/location_cursor.hpp"
#include "fold/location_folder.hpp"

#include <utility>

namespace tracefold {

namespace {

class DefinitionSource : public RecordSource {
  public:
    DefinitionSource(StructureIndex& index, Stream stream, u32 location, const std::string& text,
                     u64 expected, const Dictionary& dictionary, EventCounts events)
        : cursor_(index, stream, location),
          decoder_(stream, index.structure().symbols, text, std::move(events), dictionary),
          left_(expected) {}

    bool next(RecordBatch& batch) override {
        batch.clear();
        u32 symbol = 0;
        while (!is_full(batch) && cursor_.next(symbol, values_)) {
            if (left_-- == 0) {
                throw Error(ErrorKind::corrupt, "there are more definitions than there should be");
            }
            decoder_.decode(symbol, values_, batch);
        }
        return !batch.empty();
    }

  private:
    LocationCursor cursor_;
    DefinitionDecoder decoder_;
    u64 left_;
    AppendBuffer<u64> values_;
};

}  // namespace

FoldedDefinitions fold_definitions(const std::function<void(const BatchSink&)>& read,
                                   EventCounts events, const Dictionary& dictionary) {
    DefinitionEncoder encoder(Stream::global_definitions, std::move(events), dictionary);
    LocationFolder folder;
    CallBatch calls;
    read([&](const RecordBatch& batch) {
        calls.clear();
        encoder.encode(batch, calls);
        folder.consume(calls);
    });
    StructureStore store;
    folder.finish(store, Stream::global_definitions, 0, encoder.symbols());
    return {store.finish(Stream::global_definitions, 1), encoder.text()};
}

u64 fold_local_definitions(StructureStore& store, u32 location,
                           const std::function<void(const BatchSink&)>& read) {
    DefinitionEncoder encoder(Stream::local_definitions);
    LocationFolder folder;
    CallBatch calls;
    u64 count = 0;
    read([&](const RecordBatch& batch) {
        calls.clear();
        encoder.encode(batch, calls);
        folder.consume(calls);
        count += batch.size();
    });
    folder.finish(store, Stream::local_definitions, location, encoder.symbols());
    return count;
}

std::unique_ptr<RecordSource> definition_source(StructureIndex& index, Stream stream, u32 location,
                                                const std::string& text, u64 expected,
                                                const Dictionary& dictionary, EventCounts events) {
    return std::make_unique<DefinitionSource>(index, stream, location, text, expected, dictionary,
                                              std::move(events));
}

}  // namespace tracefold
