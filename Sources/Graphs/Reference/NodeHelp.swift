/// What `visgraph nodes` prints.
public enum NodeHelp {
  /// All types, a line each.
  public static func list(_ catalogue: Catalogue) -> String {
    let types = catalogue.descriptions
    let width = types.map(\.name.count).max() ?? 0
    return types.map { padded($0.name, width) + "  " + $0.summary + "\n" }.joined()
  }

  /// One type with its ports and settings.
  public static func text(_ type: TypeDescription) -> String {
    var text = "\(type.name)\n\n\(type.help)\n"
    if !type.aliases.isEmpty { text += "\nAlso called \(type.aliases.joined(separator: ", ")).\n" }
    text += ports("Inputs", type.inputs) + ports("Outputs", type.outputs)
    text += settings("Settings", type.settings)
    for record in type.records { text += settings("Settings of a \(record.recordName)", fields(of: record)) }
    if let example = type.example {
      let lines = example.split(separator: "\n", omittingEmptySubsequences: false)
      text += "\nExample\n" + lines.map { $0.isEmpty ? "\n" : "  \($0)\n" }.joined()
    }
    return text
  }

  /// The settings of the head of a graph (`head`), or of what stands in it, such as `stage`; nil for any other name.
  public static func head(_ name: String) -> String? {
    let record: (any FieldRecord.Type)? =
      name == "head" ? Heading.self : headRecords.first { $0.recordName == name }
    guard let record else { return nil }
    return String(settings("Settings of a \(record.recordName)", fields(of: record)).dropFirst())
  }

  /// What the head of a graph holds, each once.
  static let headRecords = TypeDescription.records(in: Heading.kinds)

  static func fields<Record: FieldRecord>(of record: Record.Type) -> [TypeDescription.Setting] {
    TypeDescription.settings(of: record)
  }

  private static func ports(_ title: String, _ ports: [TypeDescription.Port]) -> String {
    if ports.isEmpty { return "" }
    let width = ports.map(\.name.count).max() ?? 0
    return "\n\(title)\n"
      + ports.map { port in
        "  \(padded(port.name, width))  \(port.carries)\(port.required ? ", required" : "")\n"
          + "  \(padded("", width))    \(port.help)\n"
      }.joined()
  }

  private static func settings(_ title: String, _ settings: [TypeDescription.Setting]) -> String {
    if settings.isEmpty { return "" }
    let width = settings.map(\.name.count).max() ?? 0
    return "\n\(title)\n"
      + settings.map { setting in
        var text = "  \(padded(setting.name, width))  \(setting.kind.words); default \(setting.initial)\n"
        let indent = "  \(padded("", width))    "
        text += "\(indent)\(setting.help)\n"
        if case .choice(let words) = setting.kind {
          text += words.map { "\(indent)\($0.word): \($0.help)\n" }.joined()
        }
        if !remarks(setting).isEmpty { text += "\(indent)\(remarks(setting).joined(separator: "; "))\n" }
        return text
      }.joined()
  }

  private static func remarks(_ setting: TypeDescription.Setting) -> [String] {
    var remarks: [String] = []
    if let fader = setting.kind.faderLaw?.remark { remarks.append(fader) }
    if setting.each { remarks.append("single channels may have their own (each:)") }
    if setting.change == .rebuild { remarks.append("a change starts the node anew") }
    if setting.change == .restart { remarks.append("a change takes effect at the next start") }
    if !setting.aliases.isEmpty { remarks.append("also called \(setting.aliases.joined(separator: ", "))") }
    return remarks
  }

  private static func padded(_ text: String, _ width: Int) -> String {
    text + String(repeating: " ", count: max(0, width - text.count))
  }
}
