import CDbus

/// A D-Bus value, of the types that players need. [one]
package indirect enum BusValue: Equatable, Sendable {
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  /// An object path.
  case object(String)
  case texts([String])
  /// A dictionary from names to variants.
  case entries([BusEntry])

  /// The most bytes of a text that is sent; a longer one is cut.
  package static let longestText = 16_384

  /// The D-Bus type signature.
  package var signature: String {
    switch self {
    case .flag: "b"
    case .integer: "x"
    case .number: "d"
    case .text: "s"
    case .object: "o"
    case .texts: "as"
    case .entries: "a{sv}"
    }
  }

  /// Appends the value to a message. Returns false where memory is short.
  package func append(to place: UnsafeMutablePointer<DBusMessageIter>) -> Bool {
    switch self {
    case .flag(let flag):
      var value: dbus_bool_t = flag ? 1 : 0
      return dbus_message_iter_append_basic(place, BusType.flag, &value) != 0
    case .integer(var value): return dbus_message_iter_append_basic(place, BusType.integer, &value) != 0
    case .number(var value): return dbus_message_iter_append_basic(place, BusType.number, &value) != 0
    case .text(let text): return Self.append(Self.sendable(text), BusType.text, to: place)
    case .object(let name):
      return Self.append(dbus_validate_path(name, nil) != 0 ? name : "/", BusType.object, to: place)
    case .texts(let texts):
      return Self.inside(BusType.array, "s", of: place) { inner in
        texts.allSatisfy { BusValue.text($0).append(to: inner) }
      }
    case .entries(let entries):
      return Self.inside(BusType.array, "{sv}", of: place) { inner in
        entries.allSatisfy { entry in
          Self.inside(BusType.entry, nil, of: inner) { pair in
            BusValue.text(entry.name).append(to: pair) && entry.value.appendAny(to: pair)
          }
        }
      }
    }
  }

  /// Appends the value as a variant.
  package func appendAny(to place: UnsafeMutablePointer<DBusMessageIter>) -> Bool {
    Self.inside(BusType.any, signature, of: place) { append(to: $0) }
  }

  /// libdbus aborts the process for a text that is not valid UTF-8 by the rules of D-Bus.
  private static func sendable(_ text: String) -> String {
    let text = text.utf8.count > longestText ? cut(text.unicodeScalars, to: longestText) : text
    return dbus_validate_utf8(text, nil) != 0 ? text : ""
  }

  /// The longest prefix of whole characters with at most `most` bytes in UTF-8.
  package static func cut(_ letters: some Sequence<Unicode.Scalar>, to most: Int) -> String {
    var size = 0
    let first = letters.prefix { letter in
      size += UTF8.width(letter)
      return size <= most
    }
    return String(String.UnicodeScalarView(first))
  }

  /// Appends a value of a string-like type. Returns false where memory is short.
  package static func append(
    _ text: String, _ type: Int32, to place: UnsafeMutablePointer<DBusMessageIter>
  ) -> Bool {
    text.withCString { start in
      var start: UnsafePointer<CChar>? = start
      return dbus_message_iter_append_basic(place, type, &start) != 0
    }
  }

  /// Appends a container. `contents` is the signature of its elements; nil where `type` implies it.
  package static func inside(
    _ type: Int32, _ contents: String?, of place: UnsafeMutablePointer<DBusMessageIter>,
    _ body: (UnsafeMutablePointer<DBusMessageIter>) -> Bool
  ) -> Bool {
    var inner = DBusMessageIter()
    guard dbus_message_iter_open_container(place, type, contents, &inner) != 0 else { return false }
    guard body(&inner) else {
      dbus_message_iter_abandon_container(place, &inner)
      return false
    }
    return dbus_message_iter_close_container(place, &inner) != 0
  }
}

/// A name and a value of a dictionary.
package struct BusEntry: Equatable, Sendable {
  package var name: String
  package var value: BusValue

  package init(_ name: String, _ value: BusValue) {
    self.name = name
    self.value = value
  }
}

/// D-Bus type codes. The C header has them as macros, which Swift does not import.
package enum BusType {
  package static let flag = Int32(UInt8(ascii: "b"))
  package static let integer = Int32(UInt8(ascii: "x"))
  package static let number = Int32(UInt8(ascii: "d"))
  package static let text = Int32(UInt8(ascii: "s"))
  package static let object = Int32(UInt8(ascii: "o"))
  package static let array = Int32(UInt8(ascii: "a"))
  package static let entry = Int32(UInt8(ascii: "e"))
  package static let any = Int32(UInt8(ascii: "v"))
}
