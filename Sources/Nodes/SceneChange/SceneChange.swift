public import Engine
public import Graphs
import Synchronization

/// Goes to a scene when an event comes.
enum SceneChange: RunnableNode {
  static let name = "scene-change"
  static let help = """
    Goes to a scene of the graph when an event comes, whatever its name and channel: the show as a whole, as \
    `/visgraph/scene` does. Several events of one frame are one. Offline nothing goes to scenes by itself.
    """
  static let example: String? = """
    kick: { type: trigger, above: -12 dB }
    drop: { type: scene-change, to: storm, seconds: 2 }     # wires: kick.events -> drop
    """

  /// The settings of a change of scene.
  struct Settings: FieldRecord {
    /// A name, `next` or `previous`.
    var to = "next"
    /// nil: as the scene says.
    var seconds: Double?

    static let recordName = "scene-change"
    static let fields: [Field<Settings>] = [
      Field("to", \.to, .text(), "The scene, or next or previous, in the order of the file."),
      Field(
        "seconds", \.seconds, .number(.seconds, ShowScene.times),
        "In how many seconds; where nothing is said, as the scene says, else at once."),
    ]
    init() {}

    /// The scene that is meant.
    var choice: SceneChoice {
      switch to {
      case "next": .next
      case "previous": .previous
      default: .named(to)
      }
    }
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.event], "Events.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] { [] }
  static func scenes(_ settings: Settings) -> (setting: String, choice: SceneChoice)? {
    ("to", settings.choice)
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let settings = context.settings.all
    let control = SceneRequest(settings.choice, seconds: settings.seconds)
    return NodeParts(
      frame: SceneChangeFrame(control, heard: context.eventChannels[0]), control: control)
  }
}

/// Hears events. [frame]
final class SceneChangeFrame: FrameNode {
  private let request: SceneRequest
  /// The channels that are heard, by the number of their output.
  private let heard: [Int: Set<Int>]

  init(_ request: SceneRequest, heard: [Int: Set<Int>]) {
    self.request = request
    self.heard = heard
  }

  func run(_ frame: Frame) {
    if frame.events.all.contains(where: { heard[$0.output]?.contains($0.channel) == true }) { request.ask() }
  }
}

/// A change of scene that an event asks for, until it is taken. [any]
public final class SceneRequest: NodeControl {
  /// The scene that is meant.
  public let choice: SceneChoice
  /// In how many seconds; nil: as the scene says.
  public let seconds: Double?
  private let isAsked = Atomic<Bool>(false)

  init(_ choice: SceneChoice, seconds: Double?) {
    self.choice = choice
    self.seconds = seconds
  }

  /// Asks for it. [frame]
  package func ask() { isAsked.store(true, ordering: .relaxed) }

  /// Whether it has been asked for since the last call.
  public func take() -> Bool { isAsked.exchange(false, ordering: .relaxed) }

  /// Nothing.
  public func takeMessages() -> [String] { [] }
}

extension CompiledPlan {
  /// The changes of scene that its events can ask for. [any]
  public var sceneRequests: [SceneRequest] { controls.compactMap { $0.control as? SceneRequest } }
}
