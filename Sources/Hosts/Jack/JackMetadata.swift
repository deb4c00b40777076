import CJack
import Graphs

/// What patchbays are told about our ports besides their names. Every failure is harmless: a library may have been
/// built without it. [control]
enum JackMetadata {
  private static let integer = "http://www.w3.org/2001/XMLSchema#int"
  private static let text = "text/plain"

  /// Tells it. What an earlier port left under the same number is taken away first: servers give numbers again.
  static func set(_ port: HostPort, handle: OpaquePointer, on client: OpaquePointer) {
    let subject = jack_port_uuid(handle)
    jack_remove_properties(client, subject)
    if let label = port.label, !label.isEmpty {
      jack_set_property(client, subject, vg_jack_key_pretty_name(), label, text)
    }
    jack_set_property(client, subject, vg_jack_key_order(), String(port.order), integer)
    jack_set_property(client, subject, vg_jack_key_signal_type(), "AUDIO", text)
    jack_set_property(client, subject, vg_jack_key_port_group(), group(of: port.name), text)
  }

  /// Takes it away.
  static func remove(handle: OpaquePointer, on client: OpaquePointer) {
    jack_remove_properties(client, jack_port_uuid(handle))
  }

  /// The node's id: `in` for `in_2`.
  static func group(of name: String) -> String {
    guard let cut = name.lastIndex(of: "_"), cut > name.startIndex else { return name }
    return String(name[..<cut])
  }
}
