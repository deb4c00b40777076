import Graphs

/// Applies settings that only a check of the whole graph can accept or refuse. [control]
extension SettingOverrides {
  /// Applies requests together after a check of the graph; refuses those at fault. Returns the paths that are set.
  mutating func carryOut(
    _ requests: [Request], in graph: CheckedGraph, while isWanted: () -> Bool,
    _ run: (CheckedGraph) throws(ControlError) -> Void
  ) -> Set<String> {
    var requests = requests
    drop(&requests)
    while !requests.isEmpty, isWanted() {
      let checked = check(requests)
      if let new = checked.graph { return finish(requests, new, in: graph, while: isWanted, run) }
      let faults = faults(of: requests, checked, while: isWanted)
      if faults.allSatisfy({ $0 == nil }) {
        // Each is right alone, but some of them not together.
        return halve(requests, ControlError(checked), in: graph, while: isWanted, run)
      }
      requests = zip(requests, faults).compactMap { request, fault in
        var request = request
        if let fault, !request.refuse(fault, in: graph) { return nil }
        return request
      }
    }
    return []
  }

  private func check(_ requests: [Request]) -> CheckResult {
    checker.check(source, overrides: given + all(with: requests))
  }

  /// Refuses requests beyond `most` overrides, the last ones first.
  private func drop(_ requests: inout [Request]) {
    let known = Set(live.map(\.target))
    func count() -> Int {
      let (byScene, byHand) = (requests.filter(\.isOfScene), requests.filter { !$0.isOfScene })
      let owned = ofScene.union(byScene.map(\.override.target)).subtracting(byHand.map(\.override.target))
      return all(with: requests).count { !owned.contains($0.target) }
    }
    while count() > Self.most,
      let last = requests.lastIndex(where: { !$0.isOfScene && !known.contains($0.override.target) })
    {
      requests.remove(at: last).report(
        .tooMuch("more than \(Self.most) settings have been set; load the graph anew to forget them"))
    }
  }

  /// The fault of each request; nil: none.
  private func faults(of requests: [Request], _ checked: CheckResult, while isWanted: () -> Bool)
    -> [ControlError?]
  {
    if requests.count == 1 { return [ControlError(checked)] }
    let reported = requests.map { request in
      checked.faults.first { $0.mark?.option == "--set \(request.override.target)" }.map(ControlError.init)
    }
    if reported.contains(where: { $0 != nil }) { return reported }
    // The fault is reported at another place of the graph, so each request is checked alone.
    return requests.map { request in
      guard isWanted() else { return nil }
      let alone = check([request])
      return alone.graph == nil ? ControlError(alone) : nil
    }
  }

  /// Runs a graph with all requests; if it cannot run, runs one with those that can.
  private mutating func finish(
    _ requests: [Request], _ new: CheckedGraph, in graph: CheckedGraph, while isWanted: () -> Bool,
    _ run: (CheckedGraph) throws(ControlError) -> Void
  ) -> Set<String> {
    do throws(ControlError) {
      try run(new)
      remember(requests)
      return Set(requests.map(\.override.target))
    } catch {
      return halve(requests, error, in: graph, while: isWanted, run)
    }
  }

  private mutating func halve(
    _ requests: [Request], _ fault: ControlError, in graph: CheckedGraph, while isWanted: () -> Bool,
    _ run: (CheckedGraph) throws(ControlError) -> Void
  ) -> Set<String> {
    guard isWanted() else { return [] }
    if requests.count == 1 {
      var request = requests[0]
      guard request.refuse(fault, in: graph) else { return [] }
      return attempt([request], in: graph, while: isWanted, run)
    }
    let middle = requests.count / 2
    return attempt(Array(requests[..<middle]), in: graph, while: isWanted, run)
      .union(attempt(Array(requests[middle...]), in: graph, while: isWanted, run))
  }

  private mutating func attempt(
    _ requests: [Request], in graph: CheckedGraph, while isWanted: () -> Bool,
    _ run: (CheckedGraph) throws(ControlError) -> Void
  ) -> Set<String> {
    guard isWanted() else { return [] }
    let checked = check(requests)
    guard let new = checked.graph else {
      return halve(requests, ControlError(checked), in: graph, while: isWanted, run)
    }
    return finish(requests, new, in: graph, while: isWanted, run)
  }
}
