// Metal 4 matrix units.
#pragma once
#error tensors (MetalPerformancePrimitives) are not supported by assay
