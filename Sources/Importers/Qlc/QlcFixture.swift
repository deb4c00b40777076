/// Converts a fixture of QLC+ (`.qxf`, its format since 2014). [control]
struct QlcFixture {
  private var draft = FixtureDraft()
  /// The channels by name. If several have one name, the last counts.
  private var channels: [String: QlcChannel] = [:]
  private var physical = QlcPhysical()
  /// The wheels so far, so that each gets a word of its own.
  private var wheels = FixtureWheels()

  /// Reads the fixture in a file. Throws where there is none.
  static func draft(of bytes: [UInt8], called file: String) throws(ImportError) -> FixtureDraft {
    let root = try XmlReader.root(of: bytes, called: file)
    guard root.name == "FixtureDefinition" else {
      throw ImportError(
        "unknown-format", "\(file): begins with <\(FileText.shown(root.name))> and is no fixture of QLC+")
    }
    var fixture = QlcFixture()
    fixture.read(root)
    return fixture.draft
  }

  private mutating func read(_ root: XmlElement) {
    var (definitions, modes) = ([XmlElement](), [XmlElement]())
    for element in root.children {
      switch element.name {
      case "Manufacturer": draft.manufacturer = element.text
      case "Model": draft.name = element.text
      case "Channel": definitions.append(element)
      case "Mode": modes.append(element)
      case "Physical": physical.add(element, &draft)
      case "Creator", "Type": break
      default: draft.note(.left, "<\(element.name)>", "not known to visgraph")
      }
    }
    let own = modes.compactMap { mode in mode.children.first { $0.name == "Physical" } }
    for element in own { physical.add(element, &draft) }
    for element in definitions { add(element) }
    for mode in modes { add(mode: mode) }
  }

  private mutating func add(_ element: XmlElement) {
    let name = element.value("Name") ?? ""
    if channels[name] != nil { draft.note(.changed, name, "given more than once; the last counts") }
    var channel = QlcChannel(element, name, &draft)
    if channel.isCoarse, !channel.hasNoFunction {
      var made = channel.fixtureChannel(physical, &draft)
      wheels.name(&made, name)
      guard let index = draft.add(made) else { return }
      channel.index = index
    }
    channels[name] = channel
  }

  private mutating func add(mode: XmlElement) {
    let name = mode.value("Name") ?? ""
    var numbered: [(number: Int, name: String)] = []
    for element in mode.children {
      switch element.name {
      case "Channel":
        // Channels without a number are counted in their order.
        let number = element.value("Number").flatMap { Int($0) } ?? numbered.count
        guard (0..<512).contains(number) else {
          draft.note(.left, "\(name) \(element.text)", "its number is beyond a universe")
          continue
        }
        numbered.append((number, element.text))
        if element.value("ActsOn").map({ $0 != "4294967295" }) == true {
          draft.note(.left, element.text, "that it acts on another channel")
        }
      case "Head": draft.note(.left, name, "its heads by themselves: all have the same color and brightness")
      case "Physical": break
      default: draft.note(.left, "<\(element.name)> of \(name)", "not known to visgraph")
      }
    }
    var names: [String?] = Array(repeating: nil, count: (numbered.map(\.number).max() ?? -1) + 1)
    for (number, channel) in numbered {
      if names[number] != nil {
        draft.note(.changed, "\(name) \(channel)", "its slot is another's; the last counts")
      }
      names[number] = channel
    }
    draft.add(mode: name, slots(names, name))
  }

  /// The slots of a mode. A finer byte is assigned to a coarse channel before it.
  private mutating func slots(_ names: [String?], _ mode: String) -> [FixtureDraft.Slot?] {
    var slots: [FixtureDraft.Slot?] = []
    // The coarse channels so far, and the number of bytes that each has.
    var coarse: [(channel: QlcChannel, index: Int, parts: Int)] = []
    for name in names {
      guard let name else {
        slots.append(nil)
        continue
      }
      guard let channel = channels[name] else {
        draft.note(.changed, name, "a channel of a mode that the file does not describe; its slot stays 0")
        slots.append(nil)
        continue
      }
      if let index = channel.index {
        coarse.append((channel, index, 1))
        slots.append((index, 0))
        continue
      }
      if channel.hasNoFunction {
        slots.append(nil)
        continue
      }
      let partner = coarse.indices.filter {
        coarse[$0].parts < 3 && coarse[$0].channel.family == channel.family
      }
      .max { coarse[$0].channel.likeness(to: name) <= coarse[$1].channel.likeness(to: name) }
      guard let partner else {
        draft.note(.left, name, "a finer byte with no coarser one before it; its slot stays 0")
        slots.append(nil)
        continue
      }
      slots.append((coarse[partner].index, coarse[partner].parts))
      coarse[partner].parts += 1
    }
    return slots
  }
}

extension XmlElement {
  /// The value of an attribute.
  func value(_ name: String) -> String? { attributes.first { $0.name == name }?.value }
}
