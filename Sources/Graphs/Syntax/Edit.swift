/// A piece of text in place of some bytes.
struct Edit {
  var bytes: Range<Int>
  var text: String
}
