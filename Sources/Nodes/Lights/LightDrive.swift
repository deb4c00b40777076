import Graphs
import Metering

/// A drive of an attribute, with all values in the attribute's unit.
struct LightDrive: Sendable {
  let attribute: LightAttribute
  let map: DriveMap
  /// The index of the input port.
  let port: Int
}

extension Lights.Settings {
  /// The drives in the order of the file, without faulty ones. Reports faults to `shaping`, if there is one.
  /// `flashes` is the maximum strobe rate, in Hz. [control]
  func resolvedDrives(
    of attributes: Set<LightAttribute>, for shaping: Shaping<Self>? = nil, flashes: Int? = nil
  ) -> [LightDrive] {
    let drivable = attributes.union([.dimmer])
    var seen: [LightAttribute: DriveKey] = [:]
    return drive.all.compactMap { drive -> LightDrive? in
      let attribute = LightAttribute.named(drive.key.text)
      guard !drive.key.text.isEmpty else { return nil }
      guard drivable.contains(attribute) else {
        if let shaping { drive.key.reportUnknown(drivable, to: shaping) }
        return nil
      }
      guard seen.updateValue(drive.key, forKey: attribute) == nil else {
        if let shaping,
          let fault = drive.key.location?.fault(
            "driven-twice", "\(attribute) is driven twice", notes: ["remove one of the two"])
        {
          shaping.reportPlaced(fault)
        }
        return nil
      }
      let range = Self.range(of: attribute)
      let ends = (drive.to + [drive.idle ?? drive.to[0]]).map { end -> Double? in
        guard let value = end.value(in: attribute.unit), range.contains(value) else {
          if let shaping { end.faults(in: attribute.unit, range).forEach(shaping.reportPlaced) }
          return nil
        }
        return value
      }
      guard let lower = ends[0], let upper = ends[1], let idle = ends[2] else { return nil }
      let most = attribute.unit == .hertz ? flashes.map(Double.init) ?? range.upperBound : range.upperBound
      let map = DriveMap(
        from: (drive.from[0], drive.from[1]), to: (lower, upper), curve: drive.curve, clamp: drive.clamp,
        idle: min(idle, most), range: range.lowerBound...most)
      let port =
        self.drive.ports.firstIndex(of: drive.by).map { Lights.PortIndex.firstOfDrives + $0 }
        ?? Lights.PortIndex.level
      return LightDrive(attribute: attribute, map: map, port: port)
    }
  }
}

extension DriveKey {
  fileprivate func reportUnknown(
    _ drivable: Set<LightAttribute>, to shaping: Shaping<Lights.Settings>
  ) {
    let list = drivable.map(\.name).sorted().joined(separator: ", ")
    guard
      let fault = location?.fault(
        "unknown-property",
        "\(location?.subject ?? "key") is \(quote(text)), and none of the fixtures has that",
        notes: shaping.hasPlenty ? [] : ["they have \(list)"])
    else { return }
    shaping.reportPlaced(fault)
  }
}
