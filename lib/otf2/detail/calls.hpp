// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "model/record_batch.hpp"

#include <otf2/otf2.h>

namespace tracefold::otf2 {

// Write record `head` of `batch` with the libotf2 function of its type. They return what libotf2
// returns and throw Error `corrupt` if the values do not have the shape of the type.
OTF2_ErrorCode write_event(OTF2_EvtWriter* writer, OTF2_AttributeList* attributes,
                           const RecordBatch& batch, const RecordBatch::Head& head);
OTF2_ErrorCode write_definition(OTF2_GlobalDefWriter* writer, const RecordBatch& batch,
                                const RecordBatch::Head& head);
OTF2_ErrorCode write_definition(OTF2_DefWriter* writer, const RecordBatch& batch,
                                const RecordBatch::Head& head);

}  // namespace tracefold::otf2
