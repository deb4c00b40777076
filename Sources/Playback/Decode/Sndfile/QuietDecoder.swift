import Glibc

/// Makes a libmpg123 decoder that writes nothing to stderr.
///
/// libsndfile decodes MP3 with libmpg123, which writes messages about broken files to stderr, from whatever thread
/// reads the file, and libsndfile has no option against that. This function has the name of libmpg123's constructor
/// and so takes precedence: the dynamic linker searches the program first. File faults are reported in our own words.
@_cdecl("mpg123_new")
public func quietDecoder(
  _ name: UnsafePointer<CChar>?, _ error: UnsafeMutablePointer<Int32>?
) -> OpaquePointer? {
  typealias New = @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<Int32>?) -> OpaquePointer?
  typealias Set = @convention(c) (OpaquePointer, Int32, Int, Double) -> Int32
  // RTLD_NEXT: the next definition after this one.
  let next = UnsafeMutableRawPointer(bitPattern: -1)
  guard let new = dlsym(next, "mpg123_new") else { return nil }
  let decoder = unsafeBitCast(new, to: New.self)(name, error)
  if let decoder, let set = dlsym(next, "mpg123_param") {
    // MPG123_ADD_FLAGS, MPG123_QUIET.
    _ = unsafeBitCast(set, to: Set.self)(decoder, 2, 0x20, 0)
  }
  return decoder
}
