extension Catalog {
  /// The node types that, put between, turn one type of wire into another, fewest first; nil where none do.
  ///
  /// Of equally short ways the one whose types come first in the catalog is taken.
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

  /// What a type turns into what, when it needs one wire, always gives the same, and gives it at once: what lies behind
  /// hears something else in a sound than how loud it is.
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
