import Glibc

/// Makes a decoder of libmpg123 that keeps quiet.
///
/// libsndfile decodes MP3 with libmpg123, which writes what it thinks of a broken file to stderr, from whatever thread
/// reads it; libsndfile has no word to stop that. So the function that it calls is this one: the dynamic linker looks in
/// the program first. Faults of files are reported in our own words.
@_cdecl("mpg123_new")
public func quietDecoder(
  _ name: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<Int32>?
) -> OpaquePointer? {
  typealias New = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<Int32>?) -> OpaquePointer?
  typealias Set = @convention(c) (OpaquePointer, Int32, Int, Double) -> Int32
  // RTLD_NEXT: the next after ours.
  let next = UnsafeMutableRawPointer(bitPattern: -1)
  guard let new = dlsym(next, "mpg123_new") else { return nil }
  let decoder = unsafeBitCast(new, to: New.self)(name, error)
  if let decoder, let set = dlsym(next, "mpg123_param") {
    // MPG123_ADD_FLAGS, MPG123_QUIET.
    _ = unsafeBitCast(set, to: Set.self)(decoder, 2, 0x20, 0)
  }
  return decoder
}
