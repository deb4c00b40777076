import Engine
import OSC

/// What facts of a show are read from: how it stands at one moment, as far as it was asked. [port]
struct ShowLook {
  let show: Show
  var host = HostSnapshot(name: "", rate: 0, timeline: 0)
  var health = ShowHealth.Report()
  var fades: [Fades.Fact] = []
  var scene: SceneProgress.Fact?
  var cue: CueProgress.Fact?
  var life: LifeProgress.Fact?
}

/// One fact of a show, declared once: the answer to `/visgraph/status`, what subscribers are sent, JSON, the lines of
/// `visgraph status`, the figures of the screen and docs come from it. What is not known has no message. [any]
package struct ShowFact: Sendable {
  /// One argument of its messages.
  package struct Value: Sendable {
    /// What an argument is.
    package enum Kind: Sendable { case text, number, flag }
    /// What docs and JSON call it.
    package let name: String
    /// What it is; a flag is 1 or 0 in OSC.
    package let kind: Kind
    /// Whether it moves by itself, as clocks do: subscribers are not sent it.
    var isClock = false
    /// Whether it may be missing.
    var isOptional = false
  }

  /// Where JSON has it.
  package enum Place: Sendable, Equatable {
    /// Its only value, by the name of the fact.
    case alone
    /// Its only value, in a list.
    case texts(String)
    /// An object of the parts of its address and its values, in a list.
    case objects(String)
    /// The same where there is at most one; without it the list is left out.
    case one(String)
    /// Its only value, in an object, by the last part of its address.
    case entries(String)
    case nowhere
  }

  /// When subscribers are sent it.
  enum Feedback { case atOnce, soon, elsewhere }

  /// One message of it: the parts of its address that are in capitals in `name`, and its arguments.
  struct Row {
    var parts: [String] = []
    let arguments: [Argument]
  }

  /// What stands behind `/visgraph/status/`; parts in capitals stand for others.
  package let name: String
  /// Its arguments.
  package let values: [Value]
  /// What it is.
  package let help: String
  /// Where JSON has it.
  package let place: Place
  let feedback: Feedback
  private let rows: @Sendable (ShowLook) -> [Row]
  /// Where its lines stand among those that people read; nil: it has none.
  private(set) var section: ShowLine.Section?
  /// Its lines, which may say more of the answer than this fact.
  private(set) var lines: @Sendable (ShowAnswer) -> [ShowLine] = { _ in [] }
  /// What the screen shows of it; nil where it is as usual.
  private var figure: @Sendable (ShowFigure.Moment) -> ShowFigure? = { _ in nil }

  init(
    _ name: String, _ values: [Value], _ help: String, in place: Place, feedback: Feedback = .soon,
    rows: @escaping @Sendable (ShowLook) -> [Row]
  ) {
    (self.name, self.values, self.help) = (name, values, help)
    (self.place, self.feedback, self.rows) = (place, feedback, rows)
  }

  /// A fact that is one value.
  init(
    _ name: String, _ kind: Value.Kind, _ help: String, isClock: Bool = false, in place: Place = .alone,
    feedback: Feedback = .soon, value: @escaping @Sendable (ShowLook) -> Argument?
  ) {
    self.init(
      name, [Value(name: name, kind: kind, isClock: isClock)], help, in: place, feedback: feedback
    ) { look in value(look).map { [Row(arguments: [$0])] } ?? [] }
  }

  /// The same fact with lines that people read.
  func read(
    in section: ShowLine.Section, _ lines: @escaping @Sendable (ShowAnswer) -> [ShowLine]
  ) -> ShowFact {
    var fact = self
    (fact.section, fact.lines) = (section, lines)
    return fact
  }

  /// The same fact with a figure on the screen.
  func shown(_ figure: @escaping @Sendable (ShowFigure.Moment) -> ShowFigure?) -> ShowFact {
    var fact = self
    fact.figure = figure
    return fact
  }

  /// The figures of all facts, those that matter most first.
  package static func figures(_ moment: ShowFigure.Moment) -> [ShowFigure] {
    let figures = all.compactMap { $0.figure(moment) }
    return [ShowFigure.Weight.fault, .warning, .plain].flatMap { weight in
      figures.filter { $0.weight == weight }
    }
  }

  /// What all addresses of the status begin with.
  package static let base = "/visgraph/status/"

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

  /// The parts of an address that stand for those in capitals; nil: it is none of this fact's.
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

  /// Whether a message may have so many arguments.
  package func takes(arguments count: Int) -> Bool {
    (values.count { !$0.isOptional }...values.count).contains(count)
  }

  /// Its arguments as docs write them; empty where its name says enough.
  var usage: String {
    guard values.count > 1 || place == .nowhere || values.first?.name != name else { return "" }
    return values.map { $0.isOptional ? "[\($0.name.uppercased())]" : $0.name.uppercased() }
      .joined(separator: " ")
  }

  private static func isOther(_ part: Substring) -> Bool { part.allSatisfy(\.isUppercase) }
}
