/// Why a call is not carried out. The sender gets its code and its sentence; it is reported nowhere else. [desktop]
enum BusError: Error, Equatable {
  case unknownObject(String)
  case unknownInterface(String)
  case unknownMethod(String)
  case unknownProperty(String)
  case readOnly(String)
  /// What was called, the letters of the types that it takes and of those that came.
  case arguments(String, takes: String, got: String)
  /// What was set and what it takes.
  case value(String, takes: String)
  /// Something else than a file of this machine.
  case address(String)

  /// The name that the bus has for it.
  var code: String {
    let name =
      switch self {
      case .unknownObject: "UnknownObject"
      case .unknownInterface: "UnknownInterface"
      case .unknownMethod: "UnknownMethod"
      case .unknownProperty: "UnknownProperty"
      case .readOnly: "PropertyReadOnly"
      case .arguments, .value: "InvalidArgs"
      case .address: "NotSupported"
      }
    return "org.freedesktop.DBus.Error." + name
  }

  /// The sentence for people.
  var message: String {
    switch self {
    case .unknownObject(let path): "there is no object \(path); the player is \(BusNames.object)"
    case .unknownInterface(let name): "the player has no interface \"\(name)\""
    case .unknownMethod(let name): "the player has no method \"\(name)\""
    case .unknownProperty(let name): "the player has no property \"\(name)\""
    case .readOnly(let name): "\(name) cannot be set"
    case .arguments(let name, let takes, let got):
      "\(name) takes arguments of the types \"\(takes)\", not \"\(got)\""
    case .value(let name, let takes): "\(name) takes \(takes)"
    case .address(let url): "\"\(url.prefix(200))\" is not a file of this machine: give file:///a/path"
    }
  }
}
