import System

extension NodeType {
  /// A fault of a node as a whole; `field` names the setting, nil means the node itself.
  typealias Issue = (code: String, field: String?, message: String)

  /// The channels of the outputs, with the faults of the node and those that have places of their own.
  static func shape(
    id: String, _ settings: PerChannel<Settings>, inputs: [CheckedInput],
    folder: String, patch: FixturePatch = FixturePatch(), hasPlenty: Bool = false
  ) -> (channels: [[Channel]], issues: [Issue], placed: [Diagnostic]) {
    let found = Locked<[Issue]>([])
    let placed = Locked<[Diagnostic]>([])
    let channels = shape(
      Shaping(
        id: id, settings: settings, inputs: inputs, folder: folder, patch: patch, hasPlenty: hasPlenty,
        reportPlaced: { fault in placed.withLock { $0.append(fault) } }
      ) { code, field, message in
        found.withLock { if $0.count < Limits.faults { $0.append((code, field, message)) } }
      })
    return (channels, found.withLock { $0 }, placed.withLock { $0 })
  }
}
