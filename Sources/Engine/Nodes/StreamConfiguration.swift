public import Realtime

/// The stream that a plan is made for: sample rate, real time or not, and where packets go. [control]
public struct StreamConfiguration: Sendable {
  /// Where what would go to the network goes.
  public enum Packets: Sendable {
    /// To the network.
    case network
    /// Nowhere.
    case nowhere
    /// To a score: seconds of the timeline and the bytes of a packet.
    case score(@Sendable (_ seconds: Double, _ packet: UnsafeRawBufferPointer) -> Void)
  }

  /// Samples a second.
  public var sampleRate: Int
  /// Whether cycles come in real time; files then have threads of their own.
  public var isRealTime: Bool
  /// Where packets go.
  public var packets: Packets
  /// Files that stand in for JACK inputs, by id of the node.
  public var inputFiles: [String: String]
  /// Whether files are played once, whatever the graph says of loops.
  public var playsOnce: Bool
  /// The master fader and the blackout.
  public var dimmer: Dimmer
  /// The transport of the sound server; players may follow it.
  public var transport: HostTransport

  /// Makes configuration.
  public init(
    sampleRate: Int, isRealTime: Bool, packets: Packets, inputFiles: [String: String] = [:],
    playsOnce: Bool = false,
    dimmer: Dimmer = Dimmer(), transport: HostTransport = HostTransport()
  ) {
    self.sampleRate = sampleRate
    self.isRealTime = isRealTime
    self.packets = packets
    self.inputFiles = inputFiles
    self.playsOnce = playsOnce
    self.dimmer = dimmer
    self.transport = transport
  }
}
