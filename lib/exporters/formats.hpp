// SPDX-FileCopyrightText: 2026 The tracefold authors
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include "exporters/export_format.hpp"

namespace tracefold {

// The functions behind export_formats(), one file each.
WriteExport write_c;
WriteExport write_chakra;
WriteExport write_chrome;
WriteExport write_csv;
WriteExport write_dimemas;
WriteExport write_dumpi;
WriteExport write_goal;
WriteExport write_jsonl;
WriteExport write_paraver;
WriteExport write_simgrid_ti;

}  // namespace tracefold
