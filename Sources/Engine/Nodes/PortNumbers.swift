/// Numbers of the host's ports by name. A name keeps its number from plan to plan, and each name has another number.
public final class PortNumbers {
  /// The maximum number of ports of a host; a JACK client has at most 768.
  public static var capacity: Int { 2048 }

  private var numbers: [String: Int] = [:]
  private var used: Set<Int> = []
  /// All numbers below this one are used.
  private var lowest = 0

  /// No numbers yet.
  public init() {}

  /// The number of a port; a new name gets the lowest free number.
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
