package import OSC

/// The answer of a show to `/visgraph/status`, grouped by facts. [any]
package struct ShowAnswer {
  /// A message: the variable parts of its address, and its arguments.
  package struct Item {
    /// The parts, each with the word in capitals for which it stands, such as `id`.
    package var parts: [(name: String, part: String)] = []
    /// In the order of the fact's `values`.
    package let arguments: [Argument]

    /// The first variable part, such as the id of a node; empty: none.
    package var id: String { parts.first?.part ?? "" }

    /// The argument at an index, as text for a user; empty: there is none.
    package func text(_ place: Int) -> String { place < arguments.count ? arguments[place].shown : "" }
  }

  /// A player with its facts, by their names.
  package typealias Player = (id: String, facts: [(name: String, arguments: [Argument])])

  private var items: [String: [Item]] = [:]
  /// The names of the facts in the answer, in order of arrival.
  package private(set) var names: [String] = []
  /// The players, in order of arrival.
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

  /// The first argument of the fact's first message; nil: not in the answer.
  package subscript(name: String) -> Argument? { items[name]?.first?.arguments.first }

  /// That argument as text for a user; `otherwise`: the text if the fact is missing.
  func text(_ name: String, _ otherwise: String) -> String { self[name]?.shown ?? otherwise }

  /// Whether the show reports itself healthy.
  package var isHealthy: Bool { self["healthy"] == .int(1) }
}
