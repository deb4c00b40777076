import Engine
import OSC

/// The state of a show at one moment, from which facts are read; parts that were not asked for are empty. [port]
struct ShowLook {
  let show: Show
  var host = HostSnapshot(name: "", rate: 0, timeline: 0)
  var health = ShowHealth.Report()
  var fades: [SettingFades.Fact] = []
  var scene: SceneProgress.Fact?
  var cue: CueProgress.Fact?
  var life: LifeProgress.Fact?
}

/// A fact of a show, declared once: the answer to `/visgraph/status`, feedback to subscribers, JSON, the lines of
/// `visgraph status`, the figures of the screen and the docs follow from it. A fact that is not known has no message.
/// [any]
package struct ShowFact: Sendable {
  /// The declaration of one argument.
  package struct Value: Sendable {
    /// The type of an argument; a flag is 1 or 0 in OSC.
    package enum Kind: Sendable { case text, number, flag }
    /// Its name in docs and JSON.
    package let name: String
    /// Its type.
    package let kind: Kind
    /// Whether it changes all the time, as clocks do; subscribers are not sent it.
    var isClock = false
    /// Whether it may be missing.
    var isOptional = false
  }

  /// The place of a fact in JSON.
  package enum Place: Sendable, Equatable {
    /// A property with the name of the fact.
    case alone
    /// An entry of a list with that name.
    case texts(String)
    /// An object of address parts and values, in a list with that name.
    case objects(String)
    /// The same, but without a message the list is left out.
    case one(String)
    /// A property of an object with that name, by the last part of the address.
    case entries(String)
    /// Not in JSON.
    case nowhere
  }

  /// When subscribers are sent a fact: at each poll, at most every 0.5 s, or by other messages.
  enum Feedback { case atOnce, soon, elsewhere }

  /// A message of a fact: the parts of its address that are in capitals in `name`, and its arguments.
  struct Row {
    var parts: [String] = []
    let arguments: [Argument]
  }

  /// The address after `/visgraph/status/`; parts in capitals are variables.
  package let name: String
  /// Its arguments.
  package let values: [Value]
  /// Its description.
  package let help: String
  /// Its place in JSON.
  package let place: Place
  let feedback: Feedback
  private let rows: @Sendable (ShowLook) -> [Row]
  /// The section of its lines in `visgraph status`; nil: it has none.
  private(set) var section: ShowLine.Section?
  /// Its lines, which may use other facts of the answer as well.
  private(set) var lines: @Sendable (ShowAnswer) -> [ShowLine] = { _ in [] }
  /// Its figure on the screen; nil: nothing to show.
  private var figure: @Sendable (ShowFigure.Moment) -> ShowFigure? = { _ in nil }

  init(
    _ name: String, _ values: [Value], _ help: String, in place: Place, feedback: Feedback = .soon,
    rows: @escaping @Sendable (ShowLook) -> [Row]
  ) {
    (self.name, self.values, self.help) = (name, values, help)
    (self.place, self.feedback, self.rows) = (place, feedback, rows)
  }

  /// A fact with a single value.
  init(
    _ name: String, _ kind: Value.Kind, _ help: String, isClock: Bool = false, in place: Place = .alone,
    feedback: Feedback = .soon, value: @escaping @Sendable (ShowLook) -> Argument?
  ) {
    self.init(
      name, [Value(name: name, kind: kind, isClock: isClock)], help, in: place, feedback: feedback
    ) { look in value(look).map { [Row(arguments: [$0])] } ?? [] }
  }

  /// Adds lines of `visgraph status` to the fact.
  func read(
    in section: ShowLine.Section, _ lines: @escaping @Sendable (ShowAnswer) -> [ShowLine]
  ) -> ShowFact {
    var fact = self
    (fact.section, fact.lines) = (section, lines)
    return fact
  }

  /// Adds a figure of the screen to the fact.
  func shown(_ figure: @escaping @Sendable (ShowFigure.Moment) -> ShowFigure?) -> ShowFact {
    var fact = self
    fact.figure = figure
    return fact
  }

  /// The figures of all facts, by weight.
  package static func figures(_ moment: ShowFigure.Moment) -> [ShowFigure] {
    let figures = all.compactMap { $0.figure(moment) }
    return [ShowFigure.Weight.fault, .warning, .plain].flatMap { weight in
      figures.filter { $0.weight == weight }
    }
  }

  /// The beginning of all addresses of the status.
  package static let base = "/visgraph/status/"

  /// The address of the fact for subscribers, up to the slash before the first part that is a placeholder; nil if
  /// subscribers get the fact at another address, or not at all, as clocks.
  package var address: String? {
    if case .elsewhere = feedback { return nil }
    if values.allSatisfy(\.isClock) { return nil }
    let parts = name.split(separator: "/")
    let own = parts.prefix { !Self.isOther($0) }
    return Self.base + own.joined(separator: "/") + (own.count < parts.count ? "/" : "")
  }

  /// Its messages; those for subscribers have no clocks.
  func messages(_ look: ShowLook, clocks: Bool) -> [Message] {
    guard clocks || values.isEmpty || !values.allSatisfy(\.isClock) else { return [] }
    return rows(look).map { row in
      var parts = row.parts[...]
      let address = name.split(separator: "/").map { part in
        Self.isOther(part) ? parts.popFirst() ?? "" : String(part)
      }
      let arguments = zip(values, row.arguments).filter { clocks || !$0.0.isClock }.map(\.1)
      return Message(Self.base + address.joined(separator: "/"), arguments: arguments)
    }
  }

  /// The variable parts of an address; nil: the address belongs to another fact.
  package func parts(of address: String) -> [(name: String, part: String)]? {
    guard address.hasPrefix(Self.base) else { return nil }
    let given = address.dropFirst(Self.base.count).split(separator: "/", omittingEmptySubsequences: false)
    let names = name.split(separator: "/")
    guard given.count == names.count else { return nil }
    var found: [(name: String, part: String)] = []
    for (name, part) in zip(names, given) {
      if Self.isOther(name) {
        found.append((name.lowercased(), String(part)))
      } else if name != part {
        return nil
      }
    }
    return found
  }

  /// Whether a message may have `count` arguments.
  package func takes(arguments count: Int) -> Bool {
    (values.count { !$0.isOptional }...values.count).contains(count)
  }

  /// Its arguments as docs write them; empty if its name says enough.
  var usage: String {
    guard values.count > 1 || place == .nowhere || values.first?.name != name else { return "" }
    return values.map { $0.isOptional ? "[\($0.name.uppercased())]" : $0.name.uppercased() }
      .joined(separator: " ")
  }

  private static func isOther(_ part: Substring) -> Bool { part.allSatisfy(\.isUppercase) }
}
