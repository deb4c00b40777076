/// Replaces a range of bytes of a text.
struct Edit {
  var bytes: Range<Int>
  var text: String
}
