// The whole public API of assay in one include.
#pragma once

#include "assay/array.h"
#include "assay/call_site.h"
#include "assay/dtype.h"
#include "assay/einsum.h"
#include "assay/fast.h"
#include "assay/io.h"
#include "assay/labels.h"
#include "assay/memory.h"
#include "assay/metal.h"
#include "assay/ops.h"
#include "assay/print.h"
#include "assay/random.h"
#include "assay/stream.h"
#include "assay/transforms.h"
#include "assay/utils.h"
#include "assay/version.h"
