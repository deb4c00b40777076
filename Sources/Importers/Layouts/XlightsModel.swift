/// Reads a model of xLights: a custom model by its cells, a matrix or a line by its parameters. [control]
struct XlightsModel {
  private let file: String
  /// The most LEDs of a node.
  private let most: Int
  private let element: XmlElement
  private var draft = LayoutDraft()
  /// The attributes that were read or have no use; all others are noted as lost.
  private var used: Set<String> = ["name", "DisplayAs", "StringType", "SourceVersion", "versionNumber"]

  /// The largest index of a row, column or layer.
  private static let mostSteps = 1_000_000

  /// Reads the layout in a file. Throws where there is none, its kind is not supported, or it has more than `most`
  /// LEDs.
  static func draft(of bytes: [UInt8], called file: String, most: Int) throws(ImportError) -> LayoutDraft {
    let root = try XmlReader.root(of: bytes, called: file)
    var models = [root]
    if root.name == "models" || root.name == "xrgb" {
      let inner = root.name == "xrgb" ? root.children.filter { $0.name == "models" } : [root]
      models = inner.flatMap(\.children).filter { $0.name == "model" }
    }
    guard let element = models.first, element.name.hasSuffix("model") else {
      throw ImportError(
        "unknown-layout",
        "\(file): its outermost element is <\(FileText.shown(root.name))>, and no model of xLights")
    }
    guard models.count == 1 else {
      throw ImportError(
        "unknown-layout", "\(file): has \(models.count) models; export the one that is meant from xLights")
    }
    var model = XlightsModel(file: file, most: most, element: element)
    try model.read()
    return model.draft
  }

  private init(file: String, most: Int, element: XmlElement) {
    (self.file, self.most, self.element) = (file, most, element)
  }

  private mutating func read() throws(ImportError) {
    draft.name = text("name") ?? ""
    let kind = text("DisplayAs") ?? ""
    if element.name == "custommodel" || kind == "Custom" {
      try readCustom()
    } else if kind == "Horiz Matrix" || kind == "Vert Matrix" {
      try readMatrix(isVertical: kind == "Vert Matrix")
    } else if kind == "Single Line" {
      try readLine()
    } else {
      throw fault(
        "unknown-layout",
        "is \(kind.isEmpty ? "<\(FileText.shown(element.name))>" : "\"\(FileText.shown(kind))\""); supported: custom models, "
          + "Horiz Matrix, Vert Matrix and Single Line; xLights makes a custom model of any other by Export as Custom xLights Model"
      )
    }
    readColors()
    noteRest()
  }

  // MARK: - Custom models

  private mutating func readCustom() throws(ImportError) {
    used.formUnion(["CustomModel", "CustomModelCompressed", "parm1", "parm2", "parm3", "Depth"])
    used.formUnion(["CustomWidth", "CustomHeight", "PixelCount"])
    if let cells = text("CustomModelCompressed") {
      try readCompressed(cells)
    } else if let grid = text("CustomModel") {
      try readGrid(grid)
    } else {
      throw fault("no-layout", "has neither CustomModel nor CustomModelCompressed")
    }
  }

  /// Reads cells in the form `node,row,column[,layer];…`.
  private mutating func readCompressed(_ text: String) throws(ImportError) {
    for (index, cell) in text.utf8.split(separator: UInt8(ascii: ";")).enumerated() {
      let parts = cell.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
      var numbers: [Int] = []
      for part in parts.prefix(4) {
        guard let number = Self.whole(part), number <= Self.mostSteps || numbers.isEmpty else { break }
        numbers.append(number)
      }
      guard [3, 4].contains(parts.count), numbers.count == parts.count else {
        throw fault(
          "wrong-value",
          "cell \(index + 1) of CustomModelCompressed is \"\(FileText.shown(String(Substring(cell))))\"; "
            + "node,row,column[,layer] are needed")
      }
      try add(numbers[0], row: numbers[1], column: numbers[2], layer: numbers.count > 3 ? numbers[3] : 0)
    }
  }

  /// Reads a grid: layers are separated by `|`, rows by `;`, columns by `,`. A cell has the number of a node, or is
  /// empty.
  private mutating func readGrid(_ text: String) throws(ImportError) {
    var (layer, row, column) = (0, 0, 0)
    let bytes = Array(text.utf8)
    var start = 0
    for end in 0...bytes.count {
      let mark = end < bytes.count ? bytes[end] : UInt8(ascii: "|")
      guard [UInt8(ascii: ","), UInt8(ascii: ";"), UInt8(ascii: "|")].contains(mark) else { continue }
      let cell = bytes[start..<end].drop { $0 <= 0x20 }
      if !cell.isEmpty {
        guard let node = Self.whole(cell) else {
          throw fault(
            "wrong-value",
            "row \(row + 1), column \(column + 1) of CustomModel is "
              + "\"\(FileText.shown(String(decoding: cell, as: UTF8.self)))\"; the number of a node from 1 on is needed, or nothing"
          )
        }
        try add(node, row: row, column: column, layer: layer)
      }
      start = end + 1
      switch mark {
      case UInt8(ascii: ","): column += 1
      case UInt8(ascii: ";"): (row, column) = (row + 1, 0)
      default: (layer, row, column) = (layer + 1, 0, 0)
      }
    }
  }

  /// A whole number of at most 15 digits; nil for any other text.
  private static func whole(_ text: some Collection<UInt8>) -> Int? {
    let digits = text.filter { $0 > 0x20 }
    guard (1...15).contains(digits.count), digits.allSatisfy({ $0 &- 0x30 < 10 }) else { return nil }
    return digits.reduce(0) { 10 * $0 + Int($1 &- 0x30) }
  }

  private mutating func add(_ node: Int, row: Int, column: Int, layer: Int) throws(ImportError) {
    guard node >= 1 else { throw fault("wrong-value", "has a node 0; nodes count from 1") }
    guard node <= most else { throw LayoutDraft.tooMany(node, most, called: "\(file):\(element.line)") }
    draft.add(node - 1, LedLayout.Place(Double(column), Double(row), Double(layer)))
  }

  // MARK: - Matrices and lines

  /// Reads strings of `parm2` nodes. Each is folded into `parm3` strands, and every second strand runs back.
  private mutating func readMatrix(isVertical: Bool) throws(ImportError) {
    used.formUnion(["StartSide", "Dir", "NoZig", "AlternateNodes"])
    if text("AlternateNodes") == "true" {
      throw fault(
        "unknown-layout", "is a matrix with alternate nodes; export it as a custom model from xLights")
    }
    let strings = try readCount("parm1", "NumStrings")
    let nodes = try readCount("parm2", "NodesPerString")
    let strands = min(try readCount("parm3", "StrandsPerString"), nodes)
    let length = nodes / strands
    let (all, isOver) = (strings * strands).multipliedReportingOverflow(by: length)
    guard !isOver, all <= most else {
      throw LayoutDraft.tooMany(isOver ? .max : all, most, called: "\(file):\(element.line)")
    }
    if length * strands != nodes {
      draft.note(.changed, "parm2", "\(nodes) nodes make no \(strands) equal strands; each has \(length)")
    }
    let (isRight, isBottom) = (text("Dir") == "R", text("StartSide") != "T")
    let folds = text("NoZig") != "true"
    for strand in 0..<strings * strands {
      let isTurned = folds && strand % strands % 2 == 1
      for node in 0..<length {
        let (column, row): (Int, Int)
        if isVertical {
          column = isRight ? strings * strands - 1 - strand : strand
          row = isBottom != isTurned ? length - 1 - node : node
        } else {
          column = isRight != isTurned ? length - 1 - node : node
          row = isBottom ? strings * strands - 1 - strand : strand
        }
        draft.add(strand * length + node, LedLayout.Place(Double(column), Double(row)))
      }
    }
  }

  /// Reads strings, one after another, along a line.
  private mutating func readLine() throws(ImportError) {
    used.formUnion(["Dir", "StartSide", "parm3"])
    let strings = try readCount("parm1", "NumStrings")
    let nodes = try readCount("parm2", "NodesPerString")
    guard strings * nodes <= most else {
      throw LayoutDraft.tooMany(strings * nodes, most, called: "\(file):\(element.line)")
    }
    let all = strings * nodes
    let isRight = text("Dir") == "R"
    for node in 0..<all { draft.add(node, LedLayout.Place(Double(isRight ? all - 1 - node : node), 0)) }
  }

  /// The number under the first of these attributes that the model has.
  private mutating func readCount(_ names: String...) throws(ImportError) -> Int {
    used.formUnion(names)
    guard let name = names.first(where: { text($0) != nil }), let text = text(name) else {
      throw fault("no-layout", "has no \(names[0])")
    }
    guard let count = Self.whole(text.utf8), (1...100_000_000).contains(count) else {
      throw fault(
        "wrong-value", "\(name) is \"\(FileText.shown(text))\"; a whole number from 1 on is needed")
    }
    return count
  }

  // MARK: - The rest

  private mutating func readColors() {
    guard let type = text("StringType") else { return }
    let orders = ["RGB", "RBG", "GBR", "GRB", "BRG", "BGR"]
    let name = type.replacing(" Nodes", with: "")
    if orders.contains(name) {
      draft.colors = name
    } else if type == "4 Channel RGBW" || name == "RGBW" {
      draft.colors = "RGBW"
    } else if type == "4 Channel WRGB" || name == "WRGB" {
      draft.colors = "WRGB"
    } else {
      draft.note(.left, "StringType", "\"\(FileText.shown(type))\" is no order of colors; it stays RGB")
    }
  }

  /// Notes the attributes and elements that were not read.
  private mutating func noteRest() {
    for pair in element.attributes where !used.contains(pair.name) && !pair.value.trimmed.isEmpty {
      draft.note(.left, pair.name, "how xLights shows the model, and what drives it")
    }
    for child in element.children {
      let name = text("name", of: child) ?? text("Name", of: child)
      draft.note(
        .left, child.name + (name.map { " \($0)" } ?? ""), "parts, faces and states of the model")
    }
  }

  private func text(_ name: String, of element: XmlElement? = nil) -> String? {
    let value = (element ?? self.element).attributes.first { $0.name == name }?.value
    return value.flatMap { $0.trimmed.isEmpty ? nil : $0 }
  }

  private func fault(_ code: String, _ words: String) -> ImportError {
    ImportError(code, "\(file):\(element.line): \(words)")
  }
}
