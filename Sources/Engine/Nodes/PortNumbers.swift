/// Numbers of the host's ports by name: a name keeps its number from plan to plan, and no two names have the same.
public final class PortNumbers {
  /// The most ports a host can have; a JACK client has 768 at most.
  public static var capacity: Int { 2048 }

  private var numbers: [String: Int] = [:]
  private var used: Set<Int> = []
  /// No number below this one is free.
  private var lowest = 0

  /// No numbers yet.
  public init() {}

  /// The number of a port: the lowest that is free, when the name is new.
  public func number(of name: String) -> Int {
    if let known = numbers[name] { return known }
    while used.contains(lowest) { lowest += 1 }
    used.insert(lowest)
    numbers[name] = lowest
    return lowest
  }

  /// Frees the numbers of all other ports.
  public func keep(only ports: [HostPort]) {
    let names = Set(ports.map(\.name))
    numbers = numbers.filter { names.contains($0.key) }
    used = Set(numbers.values)
    lowest = 0
  }
}
