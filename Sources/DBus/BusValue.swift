import CDbus

/// A value as it goes over the bus: of the bus's types, those that players need. [one]
package indirect enum BusValue: Equatable, Sendable {
  case flag(Bool)
  case integer(Int64)
  case number(Double)
  case text(String)
  /// The name of an object.
  case object(String)
  case texts([String])
  /// Values with names.
  case entries([BusEntry])

  /// The most bytes that a text may have on its way out. A title that is longer is cut.
  package static let longestText = 16_384

  /// The bus's letters for its type.
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

  /// Writes it at the end of a message. False when there is no memory.
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

  /// Writes it as a value of any type.
  package func appendAny(to place: UnsafeMutablePointer<DBusMessageIter>) -> Bool {
    Self.inside(BusType.any, signature, of: place) { append(to: $0) }
  }

  /// The library ends the process when a text is not what the bus allows.
  private static func sendable(_ text: String) -> String {
    let text = text.utf8.count > longestText ? cut(text.unicodeScalars, to: longestText) : text
    return dbus_validate_utf8(text, nil) != 0 ? text : ""
  }

  /// As many letters from the first on as take at most so many bytes.
  package static func cut(_ letters: some Sequence<Unicode.Scalar>, to most: Int) -> String {
    var size = 0
    let first = letters.prefix { letter in
      size += UTF8.width(letter)
      return size <= most
    }
    return String(String.UnicodeScalarView(first))
  }

  /// Writes a text of one of the types that are written as texts. False when there is no memory.
  package static func append(
    _ text: String, _ type: Int32, to place: UnsafeMutablePointer<DBusMessageIter>
  ) -> Bool {
    text.withCString { start in
      var start: UnsafePointer<CChar>? = start
      return dbus_message_iter_append_basic(place, type, &start) != 0
    }
  }

  /// Writes what holds others: `contents` are the letters of their types, nil where the type says them.
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

/// A value with a name.
package struct BusEntry: Equatable, Sendable {
  package var name: String
  package var value: BusValue

  package init(_ name: String, _ value: BusValue) {
    self.name = name
    self.value = value
  }
}

/// The numbers of the bus's types, which its header has as macros that Swift does not read.
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
