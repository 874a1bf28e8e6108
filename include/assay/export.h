// ASSAY_API marks what the shared library shows to programs; everything else stays hidden.
#pragma once

#define ASSAY_API __attribute__((visibility("default")))
