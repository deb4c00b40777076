/// Why a call is refused. Only the caller gets the code and the sentence. [desktop]
enum BusError: Error, Equatable {
  case unknownObject(String)
  case unknownInterface(String)
  case unknownMethod(String)
  case unknownProperty(String)
  case readOnly(String)
  /// The name of the method, and the type signatures that it takes and that it got.
  case arguments(String, takes: String, got: String)
  /// The name of the property or argument, and the values that it takes.
  case value(String, takes: String)
  /// The URL is not that of a file on this machine.
  case address(String)

  /// The error name on the bus.
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

  /// The sentence for users.
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
