public import Realtime

/// The conditions for which a plan is made, such as the sample rate and the destination of packets. [control]
public struct StreamConfiguration: Sendable {
  /// Where the packets of a plan go.
  public enum Packets: Sendable {
    /// To the network.
    case network
    /// Nowhere.
    case nowhere
    /// To a score, by a call with the seconds of the timeline and the bytes of a packet. Offline alone, where the main
    /// thread calls it as [frame] and as [scene] and it may wait.
    case score(@Sendable (_ seconds: Double, _ packet: UnsafeRawBufferPointer) -> Void)
  }

  /// Samples per second.
  public var sampleRate: Int
  /// Whether cycles come in real time. Threads of their own then decode the files.
  public var isRealTime: Bool
  /// Where packets go.
  public var packets: Packets
  /// Files that replace JACK inputs, by the id of the node.
  public var inputFiles: [String: String]
  /// Whether files are played once, even if the graph loops them.
  public var playsOnce: Bool
  /// The master and the blackout.
  public var dimmer: Dimmer
  /// Lets packets out, or holds them.
  public var gate: OutputGate
  /// The transport of the sound server, which players may follow.
  public var transport: HostTransport
  /// Whether a viewer reads levels that no wire takes.
  public var demand: LevelDemand
  /// How commands are timed where they are recorded or played back; nil: they act as soon as they arrive.
  public var timing: CommandTiming?
  /// Called with the slots of a universe when they change; nil: nothing is called. [frame]
  public var universes: UniverseObserver?
  /// The end of the sound that is measured, for code that measures all of it.
  public var program: ProgramEnd

  /// Makes a configuration.
  public init(
    sampleRate: Int, isRealTime: Bool, packets: Packets, inputFiles: [String: String] = [:],
    playsOnce: Bool = false,
    dimmer: Dimmer = Dimmer(), gate: OutputGate = OutputGate(), transport: HostTransport = HostTransport(),
    demand: LevelDemand = LevelDemand(), timing: CommandTiming? = nil,
    universes: UniverseObserver? = nil, program: ProgramEnd = ProgramEnd()
  ) {
    self.sampleRate = sampleRate
    self.isRealTime = isRealTime
    self.packets = packets
    self.inputFiles = inputFiles
    self.playsOnce = playsOnce
    self.dimmer = dimmer
    self.gate = gate
    self.transport = transport
    self.demand = demand
    self.timing = timing
    self.universes = universes
    self.program = program
  }
}

/// Called with the number of a universe and its slots, at a time in seconds of the timeline. [frame]
public typealias UniverseObserver =
  @Sendable (
    _ universe: Int, _ slots: UnsafeBufferPointer<UInt8>, _ seconds: Double
  ) -> Void
