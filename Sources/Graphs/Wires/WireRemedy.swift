extension Catalog {
  /// The shortest chain of node types that turns one type of wire into another, found breadth first; nil if there is
  /// none.
  ///
  /// Of several chains of equal length, the one whose types come first in the catalog is taken.
  func remedy(from type: PortType, to accepted: [PortType]) -> [String]? {
    let bridges = types.compactMap { Self.bridge($0) }
    var ways: [(type: PortType, names: [String])] = [(type, [])]
    var seen: Set<PortType> = [type]
    var next = 0
    while next < ways.count {
      let way = ways[next]
      next += 1
      for bridge in bridges where bridge.accepts.contains(way.type) && seen.insert(bridge.gives).inserted {
        let names = way.names + [bridge.name]
        if accepted.contains(bridge.gives) { return names }
        ways.append((bridge.gives, names))
      }
    }
    return nil
  }

  /// The conversion that a node type makes; nil unless it needs one wire only, always gives the same type, and has no
  /// delay. Types with a delay look for something else in a sound than its loudness, so they are not suggested.
  private static func bridge<Type: NodeType>(
    _ type: Type.Type
  ) -> (name: String, accepts: [PortType], gives: PortType)? {
    let settings = Type.Settings()
    guard let input = Type.inputs(settings).first, let output = Type.outputs(settings).first,
      Type.delay == nil, !Type.inputs(settings).dropFirst().contains(where: \.required),
      case .type(let gives) = output.gives
    else { return nil }
    return (Type.name, input.accepts, gives)
  }
}
