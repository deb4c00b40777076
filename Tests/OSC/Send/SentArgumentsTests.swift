import TestSupport
import Testing

@testable import OSC

/// Values as other types, in other ranges, and among other arguments.
@Suite struct SentArgumentsTests {
  private func packets(
    _ values: [[Float]], addresses: [String] = ["/a"], _ change: (inout SendSettings) -> Void
  ) throws -> [String] {
    let recorder = try Recorder(addresses: addresses, channels: values[0].count, change)
    for (frame, values) in values.enumerated() { recorder.offer(values, frame: frame + 1) }
    return recorder.packets.map { hex($0.bytes) }
  }

  @Test func `an int is rounded, and one that rounds to the same is not sent again`() throws {
    let bytes = try packets([[0.5], [0.501], [0.506], [1], [0]]) {
      ($0.argument, $0.values, $0.rate) = (.int, [0, 100], 0)
    }
    let head = "2f610000" + "2c690000"
    #expect(bytes == ["00000032", "00000033", "00000064", "00000000"].map { head + $0 })
    let fader = try packets([[0.5]]) { ($0.argument, $0.values) = (.int, [0, 255]) }
    #expect(fader == [head + "00000080"])
  }

  @Test func `a float is sent in the set range, and its dark end is always sent`() throws {
    let head = "2f610000" + "2c660000"
    let bytes = try packets([[0.5], [0.52], [0]]) {
      ($0.values, $0.change, $0.rate) = ([100, 0], 60, 0)
    }
    #expect(bytes == [head + "42480000", head + "42c80000"])
  }

  @Test func `a bool is a tag without bytes, true from 0.5 on`() throws {
    let one = try packets([[0.49], [0.4], [0.5], [1], [0]]) { ($0.argument, $0.rate) = (.bool, 0) }
    #expect(one == ["2f6100002c460000", "2f6100002c540000", "2f6100002c460000"])
    let many = try packets([[1, 0, 0.7]]) { ($0.argument, $0.send) = (.bool, .vector) }
    #expect(many == ["2f6100002c54465400000000"])
  }

  @Test func `a number as text has at most three decimals, and the arguments after it follow directly`()
    throws
  {
    let bytes = try packets([[0.5], [0.123456], [-1], [1234.5]]) {
      ($0.argument, $0.arguments, $0.rate) = (.string, ["{value}", "7"], 0)
    }
    let head = "2f610000" + "2c736900"
    #expect(
      bytes == [
        head + "302e3500" + "00000007", head + "302e313233000000" + "00000007",
        head + "2d310000" + "00000007", head + "313233342e350000" + "00000007",
      ])
  }

  @Test func `a bundle of texts has the sizes of its present texts`() throws {
    let bytes = try packets([[0.5, 0.125]], addresses: ["/a", "/b"]) {
      ($0.argument, $0.bundle) = (.string, .immediate)
    }
    let header = "2362756e646c6500" + "0000000000000001"
    #expect(
      bytes == [
        header + "0000000c2f6100002c730000302e3500" + "00000010" + "2f6200002c730000302e313235000000"
      ])
  }

  @Test func `arguments precede and follow the value, each with the type that its text looks like`() throws {
    let bytes = try packets([[0.5]]) {
      ($0.argument, $0.values) = (.int, [0, 100])
      $0.arguments = ["go", "{value}", "0.5", "3", "true"]
    }
    #expect(bytes == ["2f610000" + "2c73696669540000" + "676f0000" + "00000032" + "3f000000" + "00000003"])
    // The whole as one text: the command line of a console.
    let command = try packets([[0.5]]) {
      ($0.argument, $0.values, $0.arguments) = (.int, [0, 100], ["Chan {channel} At {value}"])
    }
    #expect(command == ["2f610000" + "2c730000" + "4368616e203120417420353000000000"])
  }

  @Test func `arguments without the value, with two, or with an unknown placeholder are faults`() {
    func code(_ words: [String]) -> String? {
      do {
        _ = try ArgumentTemplate(words)
        return nil
      } catch { return error.code }
    }
    #expect(code(["1", "2"]) == "osc-argument-value")
    #expect(code(["{value}", "{value}"]) == "osc-argument-value")
    #expect(code(["{value} {value}"]) == "osc-argument-value")
    #expect(code(["{value}", "{vale}"]) == "osc-argument-placeholder")
    #expect(code(["{value", "{value}"]) == "osc-placeholder-open")
    #expect(code(["{value}", "{name}"]) == nil)
  }

  @Test func `bundles are split below the bytes that a console accepts, and no message is lost`() throws {
    let addresses = (1...64).map { "/visgraph/rig/\($0)" }
    let recorder = try Recorder(addresses: addresses) { ($0.bundle, $0.packet) = (.immediate, 512) }
    recorder.offer((1...64).map(Float.init), frame: 1)
    #expect(recorder.packets.map(\.bytes.count) == [492, 496, 496, 496, 112])
    #expect(recorder.log == (1...64).map { "1:/visgraph/rig/\($0) \(Float($0))" })
  }

  @Test func `a text stays within its bytes, whatever the number`() throws {
    var dice = Dice(38)
    for _ in 0..<2000 {
      let value = Float(bitPattern: UInt32.random(in: 0...UInt32.max, using: &dice))
      let recorder = try Recorder {
        ($0.argument, $0.arguments) = (.string, ["<{value}>", "end"])
      }
      recorder.offer([value.isNaN ? 0 : value], frame: 1)
      let message = try #require(try PacketReader().read(recorder.packets[0].bytes).messages.first)
      guard case .string(let text) = message.arguments[0] else {
        Issue.record("\(message)")
        return
      }
      let number = try #require(Double(text.dropFirst().dropLast()))
      #expect(message.arguments[1] == .string("end"))
      if abs(value) < 1e9 { #expect(abs(number - Double(value)) <= 0.000501) }
    }
  }
}

/// The same arguments as received by python-osc.
@Suite(.enabled(if: PythonReceiver.isInstalled, "needs: python3 -m pip install python-osc"))
struct PythonArgumentsTests {
  @Test(arguments: SendSettings.Bundling.allCases, ArgumentTemplate.Form.allCases)
  func `python-osc receives every type`(bundle: SendSettings.Bundling, form: ArgumentTemplate.Form) throws {
    let python = try PythonReceiver()
    var settings = SendSettings()
    (settings.bundle, settings.argument, settings.values) = (bundle, form, [0, 100])
    settings.arguments = ["At", "{value}", "0.5", "{channel}"]
    let sender = try Sender(addresses: ["/1", "/2"], channels: 2, settings: settings)
    let target = Target(try Endpoint("127.0.0.1:\(python.port)"))
    [Float(0.25), 1].withUnsafeBufferPointer { sender.offer($0, at: 0) { target.send($0) } }
    let values =
      switch form {
      case .float: ["25.0", "100.0"]
      case .int: ["25", "100"]
      case .bool: ["false", "true"]
      case .string: ["\"25\"", "\"100\""]
      }
    #expect(
      python.lines(2) == [
        "[\"/1\", \"At\", \(values[0]), 0.5, 1]", "[\"/2\", \"At\", \(values[1]), 0.5, 2]",
      ])
  }
}
