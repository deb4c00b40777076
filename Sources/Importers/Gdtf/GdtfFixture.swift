import DMX

/// Converts a fixture in the General Device Type Format (GDTF 1.2, DIN SPEC 15800). [control]
struct GdtfFixture {
  /// The archive's entry with the fixture.
  static let entry = "description.xml"

  private var draft = FixtureDraft()
  /// The slots of each wheel, by its name.
  private let wheels: [String: [GdtfWheelSlot]]
  /// The top-level geometries by name: modes start with one, and references name them.
  private let geometries: [String: XmlElement]
  /// The index of each channel in the draft, by the channel's text.
  private var places: [String: Int] = [:]

  /// Reads the fixture in an archive. Throws where there is none. With `mode` only that mode is read.
  static func draft(
    of archive: consuming ZipArchive, called file: String, mode: String?
  ) throws(ImportError) -> FixtureDraft {
    let bytes = try archive.bytes(of: entry)
    let root = try XmlReader.root(of: bytes, called: "\(file): \(entry)", most: XmlReader.mostOfDevice)
    guard root.name == "GDTF", let type = root.children.first(where: { $0.name == "FixtureType" }) else {
      throw ImportError("unknown-format", "\(file): \(entry) holds no fixture type of GDTF")
    }
    if let version = root.value("DataVersion"), !version.hasPrefix("1.") {
      throw ImportError("newer-version", "\(file): is GDTF \(FileText.shown(version)); versions 1 are known")
    }
    var fixture = GdtfFixture(type)
    fixture.read(type, archive.names, mode: mode)
    return fixture.draft
  }

  private init(_ type: XmlElement) {
    func all(_ name: String) -> [XmlElement] { type.children.first { $0.name == name }?.children ?? [] }
    wheels = Dictionary(
      all("Wheels").map { wheel in
        (wheel.value("Name") ?? "", wheel.children.filter { $0.name == "Slot" }.map(GdtfWheelSlot.init))
      }, uniquingKeysWith: { first, _ in first })
    geometries = Dictionary(
      all("Geometries").map { ($0.value("Name") ?? "", $0) }, uniquingKeysWith: { first, _ in first })
    draft.name = type.value("LongName") ?? type.value("Name") ?? ""
    if draft.name.trimmed.isEmpty { draft.name = type.value("Name") ?? "" }
    draft.manufacturer = type.value("Manufacturer") ?? ""
  }

  private mutating func read(_ type: XmlElement, _ entries: [String], mode wanted: String?) {
    for element in type.children {
      switch element.name {
      case "DMXModes", "Wheels", "Geometries", "AttributeDefinitions": break
      case "PhysicalDescriptions", "Models", "Revisions", "FTPresets", "Protocols":
        draft.note(.left, element.name, "visgraph has no use for it")
      default: draft.note(.left, "<\(element.name)>", "not known to visgraph")
      }
    }
    if entries.contains(where: { $0 != Self.entry && !$0.hasSuffix("/") }) {
      draft.note(.left, "pictures and models", "visgraph has no use for them")
    }
    let modes = type.children.first { $0.name == "DMXModes" }?.children ?? []
    for mode in modes where mode.name == "DMXMode" {
      let name = mode.value("Name") ?? ""
      // Of other modes only the names are needed.
      if let wanted, FixtureDraft.key(name) != FixtureDraft.key(wanted) {
        draft.skip(mode: name)
      } else {
        add(mode: mode, name)
      }
    }
  }

  private mutating func add(mode: XmlElement, _ name: String) {
    let tree = GdtfGeometry(mode.value("Geometry") ?? "", geometries)
    if tree.isCut {
      draft.note(.left, name, "occurrences of geometries beyond the first \(GdtfGeometry.most)")
    }
    var slots: [FixtureDraft.Slot?] = []
    for element in mode.children where element.name == "Relations" && !element.children.isEmpty {
      draft.note(
        .left, "relations of \(name)",
        "what one channel does to another; a lamp without a dimmer is dimmed by its colors")
    }
    for element in mode.children.first(where: { $0.name == "DMXChannels" })?.children ?? [] {
      guard let (offsets, firsts) = addresses(of: element, in: tree) else { continue }
      let channel = GdtfChannel(element, width: offsets.count, wheels, &draft).fixtureChannel(&draft)
      let index = channelIndex(of: channel)
      for first in firsts {
        for (part, offset) in offsets.enumerated() {
          // Both count from 1, and slots of a draft from 0.
          let slot = first + offset - 2
          guard (0..<SlotAddress.slots).contains(slot) else {
            draft.note(.left, name, "slots beyond a universe")
            continue
          }
          while slots.count <= slot { slots.append(nil) }
          if slots[slot] != nil { draft.note(.changed, name, "two channels have one slot; the last counts") }
          slots[slot] = index.map { (channel: $0, part: part) }
        }
      }
      if firsts.count > 1 {
        draft.note(.left, name, "its pixels by themselves: all have the same color and brightness")
      }
    }
    draft.add(mode: name, withoutEarlyFineBytes(slots))
  }

  /// The slots of a channel's bytes within its geometry, at most three, the coarse byte first; and the first slot of each
  /// occurrence of that geometry; both from 1. Nil for a channel that has none, which is noted.
  private mutating func addresses(
    of channel: XmlElement, in tree: GdtfGeometry
  ) -> (offsets: [Int], firsts: [Int])? {
    // GDTF writes `None` for a virtual channel.
    let text = channel.value("Offset") ?? ""
    let texts = (text == "None" ? "" : text).split(separator: ",").prefix(4)
    let offsets = texts.compactMap { GdtfGeometry.slot(String($0)) }
    let geometry = channel.value("Geometry") ?? ""
    let function = channel.value("InitialFunction") ?? geometry
    guard offsets.count == texts.count else {
      draft.note(.left, function, "a channel whose slots are none of a universe")
      return nil
    }
    guard !offsets.isEmpty else {
      draft.note(.left, function, "a virtual channel without slots")
      return nil
    }
    let isNested = tree.nested.contains(geometry)
    if isNested {
      draft.note(.left, function, "a channel of a geometry that a referenced geometry refers to")
    }
    guard let firsts = tree.firstSlots(of: geometry, dmxBreak: channel.value("DMXBreak") ?? "1") else {
      if !isNested {
        draft.note(.left, function, "a channel at another address of the fixture (DMXBreak)")
      }
      return nil
    }
    if offsets.count > 3 { draft.note(.left, function, "a fourth byte of a number; its slot stays 0") }
    return (Array(offsets.prefix(3)), firsts)
  }

  /// The slots of a mode, without finer bytes that come before their coarse byte; these slots stay 0.
  private mutating func withoutEarlyFineBytes(_ slots: [FixtureDraft.Slot?]) -> [FixtureDraft.Slot?] {
    // By channel: how many coarse, finer and finest bytes have come so far; pixels repeat them.
    var counts: [Int: [Int]] = [:]
    return slots.map { slot in
      guard let slot else { return nil }
      var own = counts[slot.channel] ?? [0, 0, 0]
      if slot.part > 0, own[slot.part - 1] <= own[slot.part] {
        draft.note(
          .left, draft.channels[slot.channel].key,
          "a finer byte that stands before the coarser one; its slot stays 0")
        return nil
      }
      own[slot.part] += 1
      counts[slot.channel] = own
      return slot
    }
  }

  /// Returns the index of a channel in the draft. Adds it unless there is an equal one, because each mode describes all
  /// its channels again. Nil for one beyond the limit of channels.
  private mutating func channelIndex(of channel: FixtureDraft.Channel) -> Int? {
    let text = FixtureFileText.text(channel).joined(separator: "\n")
    if let place = places[text] { return place }
    guard let place = draft.add(channel) else { return nil }
    places[text] = place
    return place
  }
}

/// The geometries of a mode, and the first slots of geometries that occur by reference. [control]
struct GdtfGeometry {
  /// The names of geometries that are part of the mode's tree itself.
  private var direct: Set<String> = []
  /// For referenced geometries the first slot and the break of each occurrence, by name.
  private var referenced: [String: [(dmxBreak: String, first: Int)]] = [:]
  /// The names of geometries that occur by a reference within a referenced geometry. The slots of these occurrences are
  /// not computed.
  private(set) var nested: Set<String> = []
  /// Whether occurrences are left out, because there are too many.
  private(set) var isCut = false

  /// The most references of a mode, the most elements of a referenced geometry, and the most occurrences of one.
  static let most = 4096

  init(_ root: String, _ all: [String: XmlElement]) {
    guard let element = all[root] else { return }
    var references: [(reference: XmlElement, target: XmlElement)] = []
    var waiting = [element]
    while let element = waiting.popLast() {
      direct.insert(element.value("Name") ?? "")
      for child in element.children {
        if child.name == "GeometryReference" {
          guard let target = child.value("Geometry").flatMap({ all[$0] }) else { continue }
          if references.count < Self.most { references.append((child, target)) } else { isCut = true }
        } else if child.value("Name") != nil {
          waiting.append(child)
        }
      }
    }
    nested = Self.namesBehindReferences(in: references.map(\.target), all)
    var total = 0
    for (reference, target) in references {
      let elements = reference.children.filter { $0.name == "Break" }
      // An offset in another universe, such as 2.8, has no slot here.
      let breaks = elements.compactMap { element in
        Self.slot(element.value("DMXOffset") ?? "1").map { (element.value("DMXBreak") ?? "1", $0) }
      }
      var waiting = [target]
      var count = 0
      while let element = waiting.popLast() {
        count += 1
        if count > Self.most {
          isCut = true
          break
        }
        let name = element.value("Name") ?? ""
        let own = elements.isEmpty ? [("1", 1)] : breaks
        referenced[name, default: []] += own.map { (dmxBreak: $0.0, first: $0.1) }
        // The break `Overwrite` is the last one of a reference.
        if let last = own.last {
          referenced[name, default: []].append((dmxBreak: "Overwrite", first: last.1))
        }
        waiting += element.children.filter { $0.value("Name") != nil && $0.name != "GeometryReference" }
        total += own.count + 1
        if total > 16 * Self.most || (referenced[name]?.count ?? 0) > Self.most {
          isCut = true
          return
        }
      }
    }
  }

  /// The names of the geometries that lie behind references in these.
  private static func namesBehindReferences(
    in targets: [XmlElement], _ all: [String: XmlElement]
  ) -> Set<String> {
    var names: Set<String> = []
    // References may lead around in circles. Each element is visited once on either side of them.
    var seen: (before: Set<ObjectIdentifier>, behind: Set<ObjectIdentifier>) = ([], [])
    var waiting = targets.map { (element: $0, isBehind: false) }
    while let (element, isBehind) = waiting.popLast() {
      let id = ObjectIdentifier(element)
      guard isBehind ? seen.behind.insert(id).inserted : seen.before.insert(id).inserted else { continue }
      if isBehind, let name = element.value("Name") { names.insert(name) }
      for child in element.children {
        if child.name != "GeometryReference" {
          waiting.append((child, isBehind))
        } else if let target = child.value("Geometry").flatMap({ all[$0] }) {
          waiting.append((target, true))
        }
      }
    }
    return names
  }

  /// A slot, 1…512; nil where the text is none.
  static func slot(_ text: String) -> Int? {
    Int(text.filter { $0 != " " }).flatMap { (1...SlotAddress.slots).contains($0) ? $0 : nil }
  }

  /// The first slots, from 1, of all occurrences of a geometry; nil: it occurs only in another break, or is nested. A
  /// geometry that the mode does not have is taken for a part of its tree: older files name models here.
  func firstSlots(of geometry: String, dmxBreak: String) -> [Int]? {
    if let own = referenced[geometry], !direct.contains(geometry) {
      let firsts = own.filter { $0.dmxBreak == dmxBreak && (dmxBreak == "1" || dmxBreak == "Overwrite") }.map(
        \.first)
      return firsts.isEmpty ? nil : firsts
    }
    let isInTree = direct.contains(geometry) || !nested.contains(geometry)
    return isInTree && dmxBreak == "1" ? [1] : nil
  }
}
