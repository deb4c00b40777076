import ArgumentParser
import Graphs

/// A time on a command line: `83`, `1:23`, `1:02:03.5`, `3 s`, `250 ms`, `2 min`, `1 h`.
struct TimeArgument: ExpressibleByArgument, Equatable, CustomStringConvertible {
  /// The text as given.
  let description: String
  /// In s, from 0 to less than 100,000,000; nil where the text is no such time.
  let seconds: Double?

  /// Never fails: `check` reports an invalid time, because it knows the name of the option.
  init(argument: String) {
    description = argument
    seconds = Self.seconds(argument).flatMap { $0 >= 0 && $0 < 1e8 ? $0 : nil }
  }

  private static func seconds(_ text: String) -> Double? {
    if let time = Quantity.clock(text) { return time.number }
    guard let time = Quantity(text) else { return nil }
    switch time.unit {
    case "", "s": return time.number
    case "ms": return time.shifted(byPowerOfTen: -3)
    case "min": return time.number * 60
    case "h": return time.number * 3600
    default: return nil
    }
  }

  /// Throws a usage error for `option` if the text is no time from 0 to less than 100,000,000 s. With `isLength`, 0 s
  /// is refused, too.
  func check(_ option: String, isLength: Bool = false) throws {
    if let seconds, !isLength || seconds > 0 { return }
    throw ValidationError(
      "\(option) takes \(isLength ? "a time above 0" : "a time"), less than 100000000 s: 83, 1:23, 3s, 250ms, 2min or 1h"
    )
  }
}

extension PictureSize {
  /// One pixel for each point of the stage.
  init(_ stage: Stage) { self.init(width: stage.width, height: stage.height) }

  /// Both sides rounded up to even numbers, as 4:2:0 video needs.
  var even: PictureSize { PictureSize(width: width + width % 2, height: height + height % 2) }
}
