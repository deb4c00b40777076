/// A topological order: each node follows its sources; otherwise the order of the file is kept.
enum TopologicalOrder {
  /// The indexes of all nodes in order, by a depth-first search, and the nodes of a loop if there is one, beginning
  /// with the first in the file.
  static func order(count: Int, wires: [Wire]) -> (order: [Int], loop: [Int]?) {
    // The sources of each node, in file order.
    var sources = [[Int]](repeating: [], count: count)
    for wire in wires { sources[wire.to].append(wire.from) }
    for index in sources.indices where sources[index].count > 1 { sources[index].sort() }
    var order: [Int] = []
    var state = [UInt8](repeating: 0, count: count)  // 0 not seen, 1 on the way, 2 done
    var loop: [Int]?
    for start in 0..<count where state[start] == 0 {
      var path = [(node: start, next: 0)]
      state[start] = 1
      while let (node, next) = path.last {
        guard next < sources[node].count else {
          state[node] = 2
          order.append(node)
          path.removeLast()
          continue
        }
        path[path.count - 1].next += 1
        let source = sources[node][next]
        if state[source] == 0 {
          state[source] = 1
          path.append((source, 0))
        } else if state[source] == 1, loop == nil, let begin = path.firstIndex(where: { $0.node == source }) {
          // The path leads from a node to its sources, against the direction of the wires.
          loop = path[begin...].map(\.node).reversed()
        }
      }
    }
    return (order, loop.map(fromFirst))
  }

  private static func fromFirst(_ loop: [Int]) -> [Int] {
    let first = loop.indices.min { loop[$0] < loop[$1] } ?? 0
    return Array(loop[first...] + loop[..<first])
  }
}
