/// A node that passed all checks.
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

  /// The resources that this node may not share with another, each with the setting that names it.
  var claims: [(setting: String, claim: String)] {
    func claims<Node: NodeType>(_ settings: some TypedSettings<Node>) -> [(setting: String, claim: String)] {
      Node.claims(settings.values.all, inputs: inputs)
    }
    return claims(typed)
  }

  /// The settings as those of `type`; nil for a node of another type.
  public func settings<Node: NodeType>(of type: Node.Type) -> PerChannel<Node.Settings>? {
    (typed as? NodeSettings<Node>)?.values
  }
}

extension CheckedNode {
  /// Whether the node is a source of audio: its first output is audio, and it has no inputs, or is a sampler, whose
  /// inputs are triggers.
  package var isSoundSource: Bool {
    outputs.first?.type == .audio && !inputs.contains { $0.type == .audio }
      && (inputs.isEmpty || type.role == .sampler)
  }
}
