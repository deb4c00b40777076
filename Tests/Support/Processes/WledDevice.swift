import Foundation

/// A lamp that acts as WLED does, `Tests/Lights/lamp.py`: its HTTP interface at 127.0.0.1.
public final class WledDevice {
  /// What it was asked for.
  public struct Report: Decodable {
    /// How often it was asked for its state.
    public let questions: Int
    /// How often it was asked how long it has run.
    public let infos: Int
    /// What was posted to it, as JSON with sorted keys.
    public let posts: [String]
    /// What WLED would not know.
    public let faults: [String]
    /// Whether its state is what it was at first.
    public let isPutBack: Bool
  }

  /// The port of its interface.
  public let port: UInt16
  private let server: LineServer

  /// Starts it.
  public init() throws {
    server = try LineServer(["python3", projectFolder.appending(path: "Tests/Lights/lamp.py").path])
    let answer = try server.answer(to: "port", within: 10)
    guard let port = UInt16(answer) else { throw Child.Failure(description: answer) }
    self.port = port
  }

  /// What it was asked for so far.
  public func report() throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(server.answer(to: "report", within: 10).utf8))
  }

  /// Has posts wait for their answers, or wait no more.
  public func hold(_ isHeld: Bool) throws {
    _ = try server.answer(to: isHeld ? "hold" : "answer", within: 10)
  }

  /// Has nobody let in any more.
  public func fill() throws { _ = try server.answer(to: "full", within: 10) }

  /// Has it begin anew, as after its power was gone.
  public func restart() throws { _ = try server.answer(to: "restart", within: 10) }
}
