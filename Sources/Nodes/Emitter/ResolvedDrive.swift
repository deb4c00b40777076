import Graphs
import Metering
import Particles

/// A drive whose key is resolved to a number, with all values in that number's unit.
struct ResolvedDrive: Sendable {
  let number: ResolvedNumber
  let map: DriveMap
  /// The index of the input port.
  let port: Int
}

extension Emitter.Settings {
  /// The drives in the order of the file; nil where one is faulty. Reports faults to `shaping`, if there is one.
  /// [control]
  func resolvedDrives(for shaping: Shaping<Self>? = nil) -> [ResolvedDrive?] {
    let model = model
    var seen: [ResolvedNumber: DriveKey] = [:]
    return drive.all.map { drive in
      let number: ResolvedNumber
      do throws(NumberPathError) {
        number = try model.number(at: drive.key.text)
      } catch {
        if let shaping, !drive.key.text.isEmpty { drive.key.report(error, to: shaping) }
        return nil
      }
      if let first = seen[number] {
        if let shaping { drive.key.reportTwice(number, first, to: shaping) }
        return nil
      }
      seen[number] = drive.key
      let ends = (drive.to + [drive.idle ?? drive.to[0]]).map { $0.value(of: number, drive, shaping) }
      guard let lower = ends[0], let upper = ends[1], let idle = ends[2] else { return nil }
      let map = DriveMap(
        from: (drive.from[0], drive.from[1]), to: (lower, upper), curve: drive.curve, clamp: drive.clamp,
        idle: idle, range: number.range)
      return ResolvedDrive(
        number: number, map: map, port: 1 + (self.drive.ports.firstIndex(of: drive.by) ?? -1))
    }
  }
}

extension DriveEnd {
  /// The value in the unit of the driven number; nil where it is faulty.
  fileprivate func value(
    of number: ResolvedNumber, _ drive: Drive, _ shaping: Shaping<Emitter.Settings>?
  ) -> Double? {
    guard let value = value(in: number.unit.inGraphs) else {
      if let shaping { faults(in: number.unit.inGraphs, number.range).forEach(shaping.reportPlaced) }
      return nil
    }
    if number.range.contains(value) { return value }
    guard let shaping else { return nil }
    let takes = "\(number.path) takes \(number.kind.words)"
    let fault =
      if let location {
        location.fault("out-of-range", "\(location.subject) is \(text); \(takes)")
      } else {
        drive.key.location?.fault(
          "out-of-range", "without a `to` it would become 0…1; \(takes)", notes: ["write to: [LOW, HIGH]"])
      }
    if let fault { shaping.reportPlaced(fault) }
    return nil
  }
}

extension DriveKey {
  fileprivate func report(_ fault: NumberPathError, to shaping: Shaping<Emitter.Settings>) {
    guard let location else { return }
    let holder = fault.place.isEmpty ? "the emitter" : fault.place
    let message =
      switch fault.reason {
      case .incomplete: "which ends before a number"
      case .unknownCell: "and \(holder) has no cell \(quote(fault.part))"
      case .unknownProperty
      where fault.place.isEmpty && Emitter.Settings.fields.contains { $0.name == fault.part }:
        "which no level can drive"
      case .unknownProperty: "and \(holder) has no number \(quote(fault.part))"
      case .notANumber(let kind):
        "and \(fault.part)\(fault.place.isEmpty ? "" : " of \(holder)") is \(kind), not a number"
      }
    var notes = (shaping.hasPlenty ? nil : fault.suggestion).map { ["did you mean \($0)?"] } ?? []
    if shaping.hasPlenty {
      notes = []
    } else if fault.known.isEmpty {
      notes.append("\(holder) has no cells")
    } else {
      notes.append("possible values: \(fault.known.prefix(64).joined(separator: ", "))")
    }
    shaping.reportPlaced(
      location.fault(fault.code, "\(location.subject) is \(quote(text)), \(message)", notes: notes))
  }

  fileprivate func reportTwice(
    _ number: ResolvedNumber, _ first: DriveKey, to shaping: Shaping<Emitter.Settings>
  ) {
    guard let location, let other = first.location else { return }
    shaping.reportPlaced(
      location.fault(
        "driven-twice",
        "\(location.subject) drives \(number.path), and so does \(other.subject) in line \(other.tree.mark.line)",
        notes: ["remove one of the two"]))
  }
}
