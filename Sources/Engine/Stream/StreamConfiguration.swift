public import Realtime
import Synchronization

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
  /// Lets packets out, or holds them.
  public var gate: OutputGate
  /// The transport of the sound server; players may follow it.
  public var transport: HostTransport
  /// Whether anybody looks at levels that no wire takes.
  public var demand: LevelDemand
  /// How commands act where they are recorded or played back; nil: as they come.
  public var timing: CommandTiming?
  /// Takes the slots of universes wherever they change, with their number and the seconds of the timeline; nil: nobody
  /// does. [frame]
  public var universes: UniverseObserver?
  /// Where the program ends, for those who measure all of it.
  public var program: ProgramEnd

  /// Makes configuration.
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

/// Takes the slots of a universe, with its number, at a time in seconds of the timeline. [frame]
public typealias UniverseObserver =
  @Sendable (
    _ universe: Int, _ slots: UnsafeBufferPointer<UInt8>, _ seconds: Double
  ) -> Void

/// The sample of the timeline that the program ends before; what follows is its tail. Live there is none. [any]
public final class ProgramEnd: Sendable {
  private let sample = Atomic<Int64>(.max)

  /// A program without an end.
  public init() {}

  /// In samples; the greatest number while none is known.
  public var end: Int64 { sample.load(ordering: .relaxed) }

  /// The program ends before a sample; stated before the frame that the sample lies in has ended.
  public func end(before sample: Int64) { self.sample.store(sample, ordering: .relaxed) }
}

/// Whether anybody looks at levels that no wire takes: a file of levels, a page, a subscriber to how the show
/// stands. What is made for the eye alone, such as a spectrum, is left out while nobody does. [any]
public final class LevelDemand: Sendable {
  /// How long a look counts, in nanoseconds: longer than from any look to the next.
  private static let patience: UInt64 = 2_000_000_000
  private let isConstant: Bool
  /// In nanoseconds of the monotonic clock.
  private let end = Atomic<UInt64>(0)

  /// - Parameter isConstant: whether there is always a viewer, as where all levels are written to a file.
  public init(isConstant: Bool = true) { self.isConstant = isConstant }

  /// A viewer looks, at a time of the monotonic clock in nanoseconds.
  public func look(at now: UInt64) { end.store(now &+ Self.patience, ordering: .relaxed) }

  /// Whether a viewer has looked of late, at a time of the monotonic clock in nanoseconds.
  public func isWanted(at now: UInt64) -> Bool { isConstant || now < end.load(ordering: .relaxed) }
}
