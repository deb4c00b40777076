import DMX

/// Diagnostics about patches.
extension Diagnostic {
  static func fixtureLacks(_ key: String, _ subject: String, at mark: SourceRange?) -> Diagnostic {
    let example =
      switch key {
      case "name": "name: Par"
      case "channels": "channels: [red, green, blue]"
      case "is": "is: pan"
      case "slots": "slots: [0, 9]"
      case "modes": "modes: { 3-channel: [red, green, blue] }"
      default: "address: 1/1"
      }
    return Diagnostic(
      "missing-key", "\(subject) has no `\(key)`", at: mark, notes: ["write such as \(example)"])
  }

  static func fixtureTwice(_ name: String, at mark: SourceRange?, firstLine: Int) -> Diagnostic {
    Diagnostic(
      "fixture-twice", "\(quote(name)) is patched already, in line \(firstLine)", at: mark,
      notes: ["give it another name, or the first one a count"])
  }

  static func tooManyFixtures(_ most: Int, at mark: SourceRange?) -> Diagnostic {
    Diagnostic("too-many-fixtures", "there are more than \(most) fixtures", at: mark)
  }

  static func noSlot(_ text: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "slot-address", "\(text) is no slot of a universe", at: mark,
      notes: [
        "universes are \(SlotAddress.universes.lowerBound)…\(SlotAddress.universes.upperBound), slots "
          + "1…\(SlotAddress.slots), as in 1/1"
      ])
  }

  static func noRoom(_ name: String, at address: SlotAddress, width: Int, _ mark: SourceRange?) -> Diagnostic
  {
    Diagnostic(
      "no-room", "\(name) has \(width) slots, and at \(address) there is no room for them", at: mark,
      notes: ["a universe has \(SlotAddress.slots) slots: take a lower slot, or another universe"])
  }

  static func fixturesOverlap(
    _ name: String, _ other: String, _ address: String, otherLine: Int, _ mark: SourceRange?
  ) -> Diagnostic {
    Diagnostic(
      "fixtures-overlap", "\(name) has the slot \(address), and so has \(other), in line \(otherLine)",
      at: mark,
      notes: ["give one of them another address"])
  }

  static func fineWithoutCoarse(_ attribute: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "fine-without-coarse", "\(attribute) has a finer byte before the coarser one", at: mark,
      notes: [
        "write \(attribute), then \(attribute) fine, then \(attribute) ultra, in the order of the slots"
      ])
  }

  static func noDimmer(_ name: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "no-dimmer", "\(name) has filters and nothing that makes it dark", at: mark,
      notes: ["give the slot of its dimmer or shutter as dimmer"])
  }

  static func emptyRange(_ subject: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "empty-range", "the two ends of \(subject).range are the same; a range needs a width", at: mark)
  }

  static func slotsBackwards(_ subject: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "slots-backwards", "the first value of \(subject).slots is larger than the last", at: mark,
      notes: ["the lower one stands first; to turn a range round, turn its `to`"])
  }

  static func channelsTwice(_ subject: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "channels-twice", "\(subject) has `channels` and a `fixture` that knows them, too", at: mark,
      notes: ["remove one of the two"])
  }

  static func modeWithoutFixture(at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "mode-without-fixture", "a mode is one of a fixture file, and there is no `fixture`", at: mark,
      notes: ["name the file: fixture: PATH"])
  }

  static func unknownMode(_ mode: String?, of file: String, known: [String], at mark: SourceRange?)
    -> Diagnostic
  {
    let list = "its modes are \(known.prefix(50).map { plain($0) }.joined(separator: ", "))"
    guard let mode else {
      return Diagnostic(
        "missing-mode", "\(quote(file)) has \(known.count) modes, and no `mode` says which", at: mark,
        notes: [list])
    }
    let meant = nearest(to: mode, among: known).map { ["did you mean \(plain($0))?"] } ?? []
    return Diagnostic(
      "unknown-mode", "\(quote(file)) has no mode \(quote(mode))", at: mark, notes: meant + [list])
  }

  static func noFixtureFile(isGraph: Bool, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "missing-version", "the file does not say that it is \(FixtureProfile.noun)", at: mark,
      notes: [
        isGraph
          ? "it is a graph file; \(FixtureProfile.noun) has modes, and no nodes"
          : "write \(FixtureProfile.version): 1 in the first line"
      ])
  }

  static func wrongFixtureVersion(_ tree: Tree) -> Diagnostic {
    Diagnostic("wrong-version", "\(FixtureProfile.version) is \(tree.words); it takes 1", at: tree.mark)
  }

  static func isFixtureFile(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "not-a-graph", "this is \(FixtureProfile.noun), not a graph", at: mark,
      notes: ["a graph names it in its patch: { name: Par, fixture: PATH, mode: MODE, address: 1/1 }"])
  }
}
