// The whole public API of assay in one include.
#pragma once

#include "assay/version.h"
