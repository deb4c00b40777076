import Engine
import Graphs
import Metering

/// Maps dBFS to 0…1 with Apple's MeterTable.
enum MeterTableNode: RunnableNode {
  static let name = "meter-table"
  static let help = """
    Maps dBFS to 0…1 as Apple's MeterTable does, exact to the bit: a table of roots of amplitudes, looked up without \
    interpolation. With the defaults -6 dB reads 0.7155, -20 dB reads 0.3188, and -80 dB or less exactly 0.
    """

  struct Settings: FieldRecord {
    var minimum = -80.0
    var size = 400
    var root = 2.0

    static let recordName = "meter-table"
    static let fields: [Field<Settings>] = [
      Field(
        "minimum", \.minimum, .number(.decibels, -160...(-0.1)), each: true,
        "The level that reads 0; lower ones read 0 as well."),
      Field(
        "size", \.size, .number(.none, 2...65_536, whole: true), each: true,
        "The number of entries of the table."),
      Field(
        "root", \.root, .number(.none, 0.1...20), each: true,
        "The degree of the root: 1 keeps the amplitude, and a larger one lifts quiet levels."),
    ]
    init() {}
  }

  static func inputs(_ settings: Settings) -> [InputPort] {
    [InputPort("in", [.decibels], "Levels in dBFS.")]
  }
  static func outputs(_ settings: Settings) -> [OutputPort] {
    [OutputPort("out", .type(.level), "The same levels from 0 to 1.")]
  }

  static func makeParts(_ context: NodeContext<Settings>) throws -> NodeParts {
    let channels = context.outputs[0].channels.indices
    let shared = makeTable(context.settings.all)
    let tables = channels.map { context.settings.each[$0].map(makeTable) ?? shared }
    let (inputs, outputs) = (context.levelInputs[0], context.levelOutputs[0])
    return NodeParts(
      frame: LevelFunction { frame in
        for channel in channels {
          frame.levels[outputs[channel]] = tables[channel].value(frame.levels[inputs[channel]])
        }
      })
  }

  private static func makeTable(_ settings: Settings) -> MeterTable {
    // The ranges of the fields admit only valid tables, so the default table is never taken.
    MeterTable(minimum: Float(settings.minimum), size: settings.size, root: Float(settings.root))
      ?? MeterTable()!
  }
}
