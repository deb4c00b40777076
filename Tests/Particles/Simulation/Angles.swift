import Glibc

/// The C library's functions, for expected values.
func cosine(_ x: Double) -> Double { cos(x) }
func sine(_ x: Double) -> Double { sin(x) }
func arc(_ y: Double, _ x: Double) -> Double { atan2(y, x) }
