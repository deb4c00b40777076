/// The reference of all node types as Markdown: `graphs/NODES.md`.
public enum NodesReference {
  /// The whole page.
  public static func markdown(_ catalog: Catalog) -> String {
    let types = catalog.descriptions
    var text = """
      # Node types

      Made from the declarations in `Sources/Nodes`; `visgraph nodes TYPE` prints the same.

      | type | does |
      |---|---|

      """
    for type in types { text += "| [\(type.name)](#\(type.name)) | \(cell(type.summary)) |\n" }
    text += """

      A number stands in the unit of its range, or is text with a unit. *change* tells what happens when a setting \
      changes in a running graph: `live` takes effect at the next frame, `rebuild` starts the node anew, `restart` \
      waits for the next start. *each* marks what single channels may have of their own. A fader (`/visgraph/fader`) goes \
      over a range in a straight line where nothing else is said.

      """
    for type in types { text += section(type) }
    text += "\n## The head of a graph\n\nWhat stands above `nodes:`; see [GRAPHS.md](GRAPHS.md#head).\n"
    text += table(NodeHelp.fields(of: GraphHeader.self), title: nil)
    for record in NodeHelp.headRecords {
      text += table(NodeHelp.fields(of: record), title: "Settings of \(indefinite(record.recordName))")
    }
    return text
  }

  private static func section(_ type: TypeDescription) -> String {
    var text = "\n## \(type.name)\n\n\(type.help)\n"
    if !type.aliases.isEmpty { text += "\nAlso called \(code(type.aliases)).\n" }
    if let delay = type.delay { text += "\nDelay: \(delay).\n" }
    if let off = type.off { text += "\nOff in a scene: \(off).\n" }
    if let example = type.example { text += "\n```yaml\n\(example)\n```\n" }
    if !type.inputs.isEmpty || !type.outputs.isEmpty {
      text += "\n| port | carries | |\n|---|---|---|\n"
      for port in type.inputs {
        let need = port.required ? "" : " (optional)"
        text += "| in: `\(port.name)`\(need) | \(cell(port.carries)) | \(cell(port.help)) |\n"
      }
      for port in type.outputs {
        text += "| out: `\(port.name)` | \(cell(port.words)) | \(cell(port.help)) |\n"
      }
    }
    text += table(type.settings, title: nil)
    for record in type.records {
      text += table(NodeHelp.fields(of: record), title: "Settings of \(indefinite(record.recordName))")
    }
    return text
  }

  private static func table(_ settings: [TypeDescription.Setting], title: String?) -> String {
    if settings.isEmpty { return title == nil ? "\nIt has no settings.\n" : "" }
    var text = title.map { "\n### \($0)\n" } ?? ""
    text += "\n| setting | takes | default | change | each | |\n|---|---|---|---|---|---|\n"
    for setting in settings {
      var help = setting.help
      help += setting.kind.choices.map { " `\($0.word)`: \($0.help)." }.joined()
      if let fader = setting.kind.faderLaw?.remark {
        help += " (\(fader.prefix(1).uppercased())\(fader.dropFirst()).)"
      }
      if !setting.aliases.isEmpty { help += " Also called \(code(setting.aliases))." }
      text += "| `\(setting.name)` | \(cell(setting.kind.words)) | `\(cell(setting.initial))` "
      text += "| \(setting.change.rawValue) | \(setting.each ? "yes" : "") | \(cell(help)) |\n"
    }
    return text
  }

  private static func code(_ names: [String]) -> String { names.map { "`\($0)`" }.joined(separator: ", ") }

  /// Escapes a text for a cell of a table: line feeds become spaces, and bars get a backslash.
  private static func cell(_ text: String) -> String {
    text.reduce(into: "") { $0 += $1 == "|" ? "\\|" : $1 == "\n" ? " " : String($1) }
  }
}
