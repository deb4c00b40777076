import Foundation

/// A stand-in for a WLED device, `Tests/Lights/lamp.py`, with its HTTP interface at 127.0.0.1.
public final class WledDevice {
  /// The requests that the device received.
  public struct Report: Decodable {
    /// The number of requests for its state.
    public let questions: Int
    /// The number of requests for its uptime.
    public let infos: Int
    /// The bodies of POST requests, as JSON with sorted keys.
    public let posts: [String]
    /// Keys that WLED does not have.
    public let faults: [String]
    /// Whether the device's state is the initial one.
    public let isPutBack: Bool
  }

  /// The port of the HTTP interface.
  public let port: UInt16
  private let server: LineServer

  /// Starts the device.
  public init() throws {
    server = try LineServer(["python3", projectFolder.appending(path: "Tests/Lights/lamp.py").path])
    let answer = try server.answer(to: "port", within: 10)
    guard let port = UInt16(answer) else { throw Child.Failure(description: answer) }
    self.port = port
  }

  /// The requests received so far.
  public func report() throws -> Report {
    try JSONDecoder().decode(Report.self, from: Data(server.answer(to: "report", within: 10).utf8))
  }

  /// Delays the answers to POST requests, or stops delaying them.
  public func hold(_ isHeld: Bool) throws {
    _ = try server.answer(to: isHeld ? "hold" : "answer", within: 10)
  }

  /// Refuses all further connections.
  public func fill() throws { _ = try server.answer(to: "full", within: 10) }

  /// Restarts the device, as after a loss of power.
  public func restart() throws { _ = try server.answer(to: "restart", within: 10) }
}
