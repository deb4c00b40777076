/// What is wrong with a received packet.
public enum PacketError: Sendable, Equatable, CustomStringConvertible {
  /// More bytes than the reader takes.
  case tooLarge
  /// The number of bytes is no multiple of four.
  case ragged
  /// The packet ends inside a value.
  case truncated
  /// Neither `/` nor `#bundle` begins it.
  case noAddress
  /// A text without its end, with other bytes than zeros behind it, or not UTF-8.
  case text
  /// What follows the address does not begin with a comma, as type tags do.
  case noTypeTags
  /// A type tag that is not read here.
  case unknownType(UInt8)
  /// A size below zero or not a multiple of four.
  case size
  /// Bytes behind the last argument.
  case leftover
  /// Bundles within bundles, too many.
  case tooDeep
  /// SLIP's escape before a byte that it does not stand before.
  case escape

  /// Whether the rest of the packet can be read all the same.
  public var isOfOneMessage: Bool {
    switch self {
    case .noTypeTags, .unknownType: true
    default: false
    }
  }

  /// What is wrong, in words.
  public var description: String {
    switch self {
    case .tooLarge: "it is larger than allowed"
    case .ragged: "its length is no multiple of 4"
    case .truncated: "it ends too early"
    case .noAddress: "it begins with neither an address nor #bundle"
    case .text: "a text is not ended by zeros, or is not UTF-8"
    case .noTypeTags: "its arguments have no type tags"
    case .unknownType(let tag):
      "the type tag \(Unicode.Scalar(tag).escaped(asASCII: true)) is not known; known are i f s b h d t T F N I"
    case .size: "a size is not possible"
    case .leftover: "bytes follow the last argument"
    case .tooDeep: "bundles are nested too deep"
    case .escape: "an escape of SLIP stands before a wrong byte"
    }
  }
}
