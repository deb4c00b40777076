import Graphs
import Metering
import Particles

/// A drive whose key leads to a number, with everything in that number's unit.
struct ResolvedDrive: Sendable {
  let number: ResolvedNumber
  let map: DriveMap
  /// The index of the input port.
  let port: Int
}

extension Emitter.Settings {
  /// The drives in file order, nil where one is at fault; `report` says whether faults are reported. [control]
  func resolvedDrives(report: Bool) -> [ResolvedDrive?] {
    let model = model
    var seen: [ResolvedNumber: DriveKey] = [:]
    return drive.all.map { drive in
      let number: ResolvedNumber
      do throws(NumberPathError) {
        number = try model.number(at: drive.key.text)
      } catch {
        if report, !drive.key.text.isEmpty { drive.key.report(error) }
        return nil
      }
      if let first = seen[number] {
        if report { drive.key.reportTwice(number, first) }
        return nil
      }
      seen[number] = drive.key
      let ends = (drive.to + [drive.idle ?? drive.to[0]]).map { $0.value(of: number, drive, report: report) }
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
  /// The number in the unit of what is driven; nil when that is at fault.
  fileprivate func value(of number: ResolvedNumber, _ drive: Drive, report: Bool) -> Double? {
    guard let value = value(in: number.unit.inGraphs) else {
      if report { location?.reportNumber(number.unit.inGraphs, in: number.range) }
      return nil
    }
    if number.range.contains(value) { return value }
    guard report else { return nil }
    let takes = "\(number.path) takes \(number.kind.words)"
    if let location {
      location.report("out-of-range", "\(location.subject) is \(text); \(takes)")
    } else {
      drive.key.location?.report(
        "out-of-range", "without a `to` it would become 0…1; \(takes)", notes: ["write to: [LOW, HIGH]"])
    }
    return nil
  }
}

extension DriveKey {
  fileprivate func report(_ fault: NumberPathError) {
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
    var notes = (location.hasPlenty ? nil : fault.suggestion).map { ["did you mean \($0)?"] } ?? []
    if location.hasPlenty {
      notes = []
    } else if fault.known.isEmpty {
      notes.append("\(holder) has no cells")
    } else {
      notes.append("known are \(fault.known.prefix(64).joined(separator: ", "))")
    }
    location.report(fault.code, "\(location.subject) is \(quote(text)), \(message)", notes: notes)
  }

  fileprivate func reportTwice(_ number: ResolvedNumber, _ first: DriveKey) {
    guard let location, let other = first.location else { return }
    location.report(
      "driven-twice",
      "\(location.subject) drives \(number.path), and so does \(other.subject) in line \(other.tree.mark.line)",
      notes: ["remove one of the two"])
  }
}
