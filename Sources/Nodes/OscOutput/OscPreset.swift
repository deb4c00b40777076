import Graphs
import OSC

/// Addresses, types and value ranges of a console or program. An osc-output or a target names a preset; settings that
/// it states override it.
enum OscPreset: String, FieldChoice, CaseIterable {
  case eosChannel = "eos-channel"
  case eosSub = "eos-sub"
  case eosFader = "eos-fader"
  case grandMA3 = "grandma3"
  case hog, magicq, onyx, resolume, qlab
  case touchDesigner = "touchdesigner"
  case companion, ardour, x32
  case x32DCA = "x32-dca"

  /// The values of a preset.
  private struct Row {
    var receiver: String
    var address: String
    var argument = ArgumentTemplate.Form.float
    var values = [0.0, 1]
    var arguments: [String] = []
    var packet = SendSettings().packet
    var most: Int?
  }

  private var row: Row {
    switch self {
    case .eosChannel:
      Row(receiver: "channels of an ETC Eos", address: "/eos/chan/{channel}", values: [0, 100], packet: 512)
    case .eosSub: Row(receiver: "submasters of an ETC Eos", address: "/eos/sub/{channel}", packet: 512)
    case .eosFader:
      Row(receiver: "faders of the first bank of an ETC Eos", address: "/eos/fader/1/{channel}", packet: 512)
    case .grandMA3:
      Row(
        receiver: "the executors 201 to 209 of the first page of a grandMA3",
        address: "/Page1/Fader20{channel}",
        argument: .int, values: [0, 100], most: 9)
    case .hog:
      Row(
        receiver: "master faders of a Hog 4", address: "/hog/hardware/fader/{channel}", argument: .int,
        values: [0, 255], most: 90)
    case .magicq: Row(receiver: "the first ten playbacks of a MagicQ", address: "/pb/{channel}", most: 10)
    case .onyx:
      Row(
        receiver: "faders of an Onyx, by the console's numbers as names of the channels, such as 4203",
        address: "/Mx/fader/{name}", argument: .int, values: [0, 255])
    case .resolume:
      Row(
        receiver: "the opacity of layers of a Resolume",
        address: "/composition/layers/{channel}/video/opacity")
    case .qlab:
      Row(
        receiver: "lights on the dashboard of a QLab (port 53000), by their names as names of the channels",
        address: "/dashboard/setLight", values: [0, 100], arguments: ["{name}", "{value}"])
    case .touchDesigner:
      Row(receiver: "channels of an OSC In of a TouchDesigner, by their names", address: "/{name}")
    case .companion:
      Row(
        receiver: "custom variables of a Bitfocus Companion (port 12321), by their names",
        address: "/custom-variable/{name}/value", argument: .int, values: [0, 100])
    case .ardour:
      Row(
        receiver: "faders of the strips of an Ardour (port 3819)", address: "/strip/fader",
        arguments: ["{channel}", "{value}"])
    case .x32:
      Row(
        receiver: "faders of the channels 1 to 9 of a Behringer X32 or Midas M32 (port 10023)",
        address: "/ch/0{channel}/mix/fader", most: 9)
    case .x32DCA:
      Row(
        receiver: "faders of the groups (DCA) of a Behringer X32 or Midas M32 (port 10023)",
        address: "/dca/{channel}/fader", most: 8)
    }
  }

  var address: String { row.address }
  /// Maximum channels for its address; nil: no limit.
  var most: Int? { row.most }

  /// Sets the values of the preset, except those of stated settings.
  func fill(_ settings: inout SendSettings, stated: Set<String> = []) {
    func fill<Value>(_ setting: SendSetting<Value>, _ value: Value) {
      if !stated.contains(setting.name) { settings[keyPath: setting.path] = value }
    }
    fill(SendFields.argument, row.argument)
    fill(SendFields.values, row.values)
    fill(SendFields.arguments, row.arguments)
    fill(SendFields.packet, row.packet)
    fill(SendFields.bundle, .none)
  }

  /// The meaning of the word, as help texts show it.
  var help: String {
    let numbers = row.values.map { shortest($0) }.joined(separator: "…")
    let packet = row.packet == SendSettings().packet ? "" : ", packets of at most \(row.packet) bytes"
    let words = row.arguments.isEmpty ? "" : row.arguments.joined(separator: " ") + ", "
    return
      "\(row.receiver): \(row.address), \(words)\(row.argument.rawValue) \(numbers)\(packet); from its manual, not run against it"
  }
}
