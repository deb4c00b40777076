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
      "missing-key", "\(subject) has no `\(key)`", at: mark, notes: ["write for example \(example)"])
  }

  static func fixtureTwice(_ name: String, at mark: SourceRange?, firstLine: Int) -> Diagnostic {
    Diagnostic(
      "fixture-twice", "the name \(quote(name)) is already used in line \(firstLine)", at: mark,
      notes: ["rename this row, or write count: in the first one"])
  }

  static func tooManyFixtures(_ most: Int, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "too-many-fixtures", "the patch has more than \(most) fixtures, the limit of a graph", at: mark)
  }

  static func noSlot(_ text: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "slot-address", "\(text) is not the address of a slot", at: mark,
      notes: [
        "universes are \(SlotAddress.universes.lowerBound)…\(SlotAddress.universes.upperBound), slots "
          + "1…\(SlotAddress.slots), as in 1/1"
      ])
  }

  static func noRoom(_ name: String, at address: SlotAddress, width: Int, _ mark: SourceRange?) -> Diagnostic
  {
    Diagnostic(
      "no-room", "\(name) has \(width) slots, which do not fit at \(address)", at: mark,
      notes: ["a universe has \(SlotAddress.slots) slots: use a lower slot, or another universe"])
  }

  static func fixturesOverlap(
    _ name: String, _ other: String, _ address: String, otherLine: Int, _ mark: SourceRange?
  ) -> Diagnostic {
    Diagnostic(
      "fixtures-overlap", "\(name) and \(other), in line \(otherLine), overlap at the slot \(address)",
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
      "no-dimmer", "\(name) has subtractive colors (filters) but no dimmer", at: mark,
      notes: ["name the slot of its dimmer or shutter `dimmer`"])
  }

  static func emptyRange(_ subject: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "empty-range", "the two ends of \(subject).range are the same; they must differ", at: mark)
  }

  static func slotsBackwards(_ subject: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "slots-backwards", "the first value of \(subject).slots is larger than the last", at: mark,
      notes: ["write the lower value first; to reverse a range, swap the values of `to`"])
  }

  static func channelsTwice(_ subject: String, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "channels-twice", "\(subject) has both `channels` and `fixture`", at: mark,
      notes: ["remove one of the two"])
  }

  static func modeWithoutFixture(at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "mode-without-fixture", "`mode` needs a `fixture`", at: mark,
      notes: ["name the file: fixture: PATH"])
  }

  static func unknownMode(_ mode: String?, of file: String, known: [String], at mark: SourceRange?)
    -> Diagnostic
  {
    let list = "its modes are \(known.prefix(50).map { plain($0) }.joined(separator: ", "))"
    guard let mode else {
      return Diagnostic(
        "missing-mode", "\(quote(file)) has \(known.count) modes, but no `mode` is selected", at: mark,
        notes: [list])
    }
    let meant = nearest(to: mode, among: known).map { ["did you mean \(plain($0))?"] } ?? []
    return Diagnostic(
      "unknown-mode", "\(quote(file)) has no mode \(quote(mode))", at: mark, notes: meant + [list])
  }

  static func noFixtureFile(isGraph: Bool, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "missing-version", "the file lacks the key \(FixtureProfile.version) of \(FixtureProfile.noun)",
      at: mark,
      notes: [
        isGraph
          ? "it is a graph file; \(FixtureProfile.noun) has modes, and no nodes"
          : "write \(FixtureProfile.version): 1 in the first line"
      ])
  }

  static func wrongFixtureVersion(_ tree: Tree) -> Diagnostic {
    Diagnostic("wrong-version", "\(FixtureProfile.version): must be 1, not \(tree.words)", at: tree.mark)
  }

  static func isFixtureFile(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "not-a-graph", "this is \(FixtureProfile.noun), not a graph", at: mark,
      notes: ["a graph names it in its patch: { name: Par, fixture: PATH, mode: MODE, address: 1/1 }"])
  }
}
