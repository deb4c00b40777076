import DMX

/// A fixture in an MVR scene: its type and its address. [control]
struct MvrFixture {
  /// A row of the patch in the graph.
  struct Row: Sendable {
    let name: String
    let file: String
    let mode: String
    let address: String
    let groups: [String]
  }

  let name: String
  /// The name of its fixture file in the archive (GDTFSpec), with or without `.gdtf`.
  let spec: String
  let mode: String
  let address: SlotAddress
  let layer: String

  /// The row of this fixture.
  func row(_ name: String, file: String, mode: String) -> Row {
    // Fixtures whose names differ only in a number at the end form a group. So do the fixtures of a layer.
    let kind = String(name.reversed().drop { $0.isNumber || " _-".contains($0) }.reversed())
    let groups = [kind, MvrNames.plain(layer, keeping: " _-").trimmed].map { String($0.prefix(48)).trimmed }
      .filter { !$0.isEmpty && $0 != name }
    return Row(
      name: name, file: file, mode: mode, address: "\(address)",
      groups: groups.count == 2 && groups[0] == groups[1] ? [groups[0]] : groups)
  }
}

/// The fixtures of an MVR scene in the order of the file, and notes on the rest. [control]
struct MvrFixtures {
  private(set) var list: [MvrFixture] = []
  private(set) var notes = FixtureDraft()

  /// Reads a scene.
  mutating func read(_ root: XmlElement) {
    let scene = root.children.first { $0.name == "Scene" }
    for element in root.children where element.name != "Scene" {
      notes.note(.left, "<\(element.name)>", "visgraph has no use for it")
    }
    for element in scene?.children ?? [] {
      guard element.name == "Layers" else {
        notes.note(.left, "<\(element.name)>", "visgraph has no use for it")
        continue
      }
      for layer in element.children where layer.name == "Layer" { add(layer, layer.value("name") ?? "") }
    }
  }

  private mutating func add(_ parent: XmlElement, _ layer: String) {
    for child in parent.children {
      switch child.name {
      case "ChildList": for element in child.children { take(element, layer) }
      case "Matrix" where parent.name != "Fixture":
        notes.note(.left, parent.value("name") ?? "", "where it stands")
      default: break
      }
    }
  }

  private mutating func take(_ element: XmlElement, _ layer: String) {
    switch element.name {
    case "Fixture":
      add(fixture: element, layer)
      add(element, layer)
    case "GroupObject", "SceneObject", "Truss", "Support":
      if element.name != "GroupObject" {
        notes.note(.left, "<\(element.name)>", "visgraph has no use for it")
      }
      add(element, layer)
    default: notes.note(.left, "<\(element.name)>", "visgraph has no use for it")
    }
  }

  private mutating func add(fixture element: XmlElement, _ layer: String) {
    let name = element.value("name") ?? ""
    func text(_ key: String) -> String { element.children.first { $0.name == key }?.text.trimmed ?? "" }
    for child in element.children {
      switch child.name {
      case "GDTFSpec", "GDTFMode", "Addresses", "ChildList": break
      case "Matrix": notes.note(.left, "where fixtures hang", "a stage of visgraph has no depth")
      default: notes.note(.left, "<\(child.name)>", "of fixtures, visgraph has no use for it")
      }
    }
    let addresses =
      element.children.first { $0.name == "Addresses" }?.children.filter { $0.name == "Address" } ?? []
    if addresses.count > 1 { notes.note(.left, name, "its addresses beyond the first (breaks)") }
    guard !text("GDTFSpec").isEmpty else { return notes.note(.left, name, "a fixture without a file") }
    guard let place = addresses.first.flatMap({ Self.address($0.text.trimmed) }) else {
      return notes.note(.left, name, "a fixture without an address")
    }
    list.append(
      MvrFixture(
        name: name, spec: text("GDTFSpec"), mode: text("GDTFMode"), address: place,
        layer: layer))
  }

  /// The address of `513` or of `2.1`, both the first slot of universe 2; nil: not a valid address.
  private static func address(_ text: String) -> SlotAddress? {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { Int($0) }
    switch (parts.count, parts.first ?? nil, parts.last ?? nil) {
    case (1, let number?, _) where number > 0:
      return SlotAddress(universe: 1, slot: 1)?.advanced(by: number - 1)
    case (2, let universe?, let slot?): return SlotAddress(universe: universe, slot: slot)
    default: return nil
    }
  }
}
