/// Numbers of the host's ports by name: a name keeps its number from plan to plan, and a number is not given twice.
public final class PortNumbers {
  private var numbers: [String: Int] = [:]

  /// No numbers yet.
  public init() {}

  /// The number of a port.
  public func number(of name: String) -> Int {
    if let known = numbers[name] { return known }
    let number = (numbers.values.max() ?? -1) + 1
    numbers[name] = number
    return number
  }

  /// Frees the numbers of all other ports.
  public func keep(only ports: [HostPort]) {
    let names = Set(ports.map(\.name))
    numbers = numbers.filter { names.contains($0.key) }
  }
}
