/// A node whose type and settings are known, and its channels not yet.
protocol NodeDraft: AnyObject {
  var id: String { get }
  /// Where its id stands.
  var mark: Mark { get }
  var type: any NodeType.Type { get }
  var inputs: [InputPort] { get }
  var outputs: [OutputPort] { get }
  /// Whether something of it is wrong, so that what follows from it should not be complained about.
  var faulty: Bool { get }
  /// Whether a fault hides which ports it has.
  var isVague: Bool { get }
  /// Reads `each:` now that the channels are known.
  func readEach(for channels: [Channel], budget: inout Int, _ reading: Reading)
  /// Asks the type for the channels of the outputs; nil when that found a fault.
  func shape(_ inputs: [(type: PortType?, channels: [Channel])], _ reading: Reading) -> [[Channel]]?
  func checked(inputs: [CheckedInput], outputs: [CheckedOutput]) -> CheckedNode
}

/// Makes the draft of a node of any type.
func draft<Type: NodeType>(
  of type: Type.Type, _ entry: NodeEntry, like base: (any NodeDraft)?, _ reading: Reading
) -> any NodeDraft {
  TypedDraft<Type>(entry, like: base as? TypedDraft<Type>, reading)
}
