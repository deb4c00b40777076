/// A node without fault.
public struct CheckedNode: Sendable {
  /// The id in the file.
  public var id: String
  /// Its type and its settings.
  public var typed: any TypedSettings
  /// The input ports, in the order of the declaration.
  public var inputs: [CheckedInput]
  /// The output ports, in the order of the declaration.
  public var outputs: [CheckedOutput]

  package init(
    id: String, _ typed: any TypedSettings, inputs: [CheckedInput], outputs: [CheckedOutput]
  ) {
    self.id = id
    self.typed = typed
    self.inputs = inputs
    self.outputs = outputs
  }

  /// Its type.
  public var type: any NodeType.Type { typed.type }

  /// What it has for itself alone, with the setting that says so.
  var claims: [(setting: String, claim: String)] {
    func claims<Node: NodeType>(_ settings: some TypedSettings<Node>) -> [(setting: String, claim: String)] {
      Node.claims(settings.values.all, inputs: inputs)
    }
    return claims(typed)
  }

  /// Its settings, if it is a node of a type; else nil.
  public func settings<Node: NodeType>(of type: Node.Type) -> PerChannel<Node.Settings>? {
    (typed as? NodeSettings<Node>)?.values
  }
}
