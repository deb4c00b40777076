import DMX

/// The sentences about patches.
extension Diagnostic {
  static func fixtureLacks(_ key: String, _ subject: String, at mark: SourceRange?) -> Diagnostic {
    let example =
      switch key {
      case "name": "name: Par"
      case "channels": "channels: [red, green, blue]"
      case "is": "is: pan"
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
}
