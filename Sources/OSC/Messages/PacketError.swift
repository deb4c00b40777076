/// A fault of a received packet.
public enum PacketError: Sendable, Equatable, CustomStringConvertible {
  /// It has more bytes than the reader accepts.
  case tooLarge
  /// Its size is not a multiple of four.
  case ragged
  /// It ends within a value.
  case truncated
  /// It begins neither with `/` nor with `#bundle`.
  case noAddress
  /// A string has no terminating zero, has other bytes than zeros in its padding, or is not UTF-8.
  case text
  /// The address is not followed by a type tag string, which begins with a comma.
  case noTypeTags
  /// An unknown type tag.
  case unknownType(UInt8)
  /// A size is below 1.
  case size
  /// Bytes follow the last argument.
  case leftover
  /// Bundles are nested too deep.
  case tooDeep
  /// A SLIP escape is followed by an invalid byte.
  case escape

  /// Whether only one message is lost, and the rest of the packet can be decoded.
  public var isOfOneMessage: Bool {
    switch self {
    case .noTypeTags, .unknownType: true
    default: false
    }
  }

  /// The fault in words.
  public var description: String {
    switch self {
    case .tooLarge: "it is larger than allowed"
    case .ragged: "its length is no multiple of 4"
    case .truncated: "it ends too early"
    case .noAddress: "it begins with neither an address nor #bundle"
    case .text: "a text is not ended by zeros, or is not UTF-8"
    case .noTypeTags: "its arguments have no type tags"
    case .unknownType(let tag):
      "the type tag \(Unicode.Scalar(tag).escaped(asASCII: true)) is none of i f s b h d t T F N I"
    case .size: "a size is not possible"
    case .leftover: "bytes follow the last argument"
    case .tooDeep: "bundles are nested too deep"
    case .escape: "an escape of SLIP stands before a wrong byte"
    }
  }
}
