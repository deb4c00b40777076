package import OSC

/// The answer of a show to `/visgraph/status`, sorted by facts. [any]
package struct ShowAnswer {
  /// One message: the parts of its address by what they stand for, and its arguments.
  package struct Item {
    /// Each with the word in capitals that it stands for, such as `id`.
    package var parts: [(name: String, part: String)] = []
    /// In the order of the fact's values.
    package let arguments: [Argument]

    /// The first part of its address, such as the id of a node; empty where it has none.
    package var id: String { parts.first?.part ?? "" }

    /// The argument at a place, as people read it; empty where there is none.
    package func text(_ place: Int) -> String { place < arguments.count ? arguments[place].shown : "" }
  }

  /// A player and what the answer says of it, by names of facts.
  package typealias Player = (id: String, facts: [(name: String, arguments: [Argument])])

  private var items: [String: [Item]] = [:]
  /// The names of the facts that were answered, in the order they came in.
  package private(set) var names: [String] = []
  /// In the order they came in.
  package internal(set) var players: [Player] = []

  /// An answer without messages.
  init() {}

  /// Adds a message of a fact.
  mutating func add(_ item: Item, to name: String) {
    if items[name] == nil { names.append(name) }
    items[name, default: []].append(item)
  }

  /// The messages of a fact, by its name.
  package func all(_ name: String) -> [Item] { items[name] ?? [] }

  /// The first argument of the first message of a fact; nil where it was not answered.
  package subscript(name: String) -> Argument? { items[name]?.first?.arguments.first }

  /// The same as people read it.
  func text(_ name: String, _ otherwise: String) -> String { self[name]?.shown ?? otherwise }

  /// Whether the lights go as they should.
  package var isHealthy: Bool { self["healthy"] == .int(1) }
}
