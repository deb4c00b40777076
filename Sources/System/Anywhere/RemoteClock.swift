/// The monotonic clock of another machine, estimated by questions; a relay and a page use it. Each answer bounds the
/// offset from both sides: the other machine read its clock after the question left and before the answer came. The
/// intersection of all bounds is tighter than any single one, because the fastest way there and the fastest way back
/// rarely belong to the same question. All times are in seconds. [one]
package struct RemoteClock: Sendable {
  /// How many answers are kept, and how many are enough to ask rarely.
  private static let (mostAnswers, enough) = (16, 8)
  /// Answers are forgotten after so many seconds, because clocks of two machines drift apart by some microseconds a
  /// second; and where they contradict the newest by more than `drift`, because a clock was set or a machine has slept.
  private static let (oldest, drift) = (60.0, 0.005)

  /// When it came, and by how much the other clock is ahead at least and at most.
  private struct Answer {
    let time: Double
    let least: Double
    let most: Double
  }

  private var answers: [Answer] = []

  /// Makes an estimate without answers.
  package init() {}

  /// Whether there is an answer.
  package var isKnown: Bool { !answers.isEmpty }

  /// Seconds until the next question: few while there are few answers.
  package var pause: Double { answers.count < Self.enough ? 0.1 : 3 }

  /// Takes an answer: when it was asked for and when it came by this machine's clock, and the other machine's time.
  /// Times that cannot be change nothing.
  package mutating func note(asked: Double, answered: Double, clock: Double) {
    guard clock.isFinite, asked.isFinite, answered >= asked else { return }
    let newest = Answer(time: answered, least: clock - answered, most: clock - asked)
    answers.removeAll {
      newest.time - $0.time >= Self.oldest || $0.least >= newest.most + Self.drift
        || $0.most <= newest.least - Self.drift
    }
    answers.append(newest)
    if answers.count > Self.mostAnswers { answers.removeFirst() }
  }

  /// Forgets all answers, because another machine may have another clock.
  package mutating func forget() { answers = [] }

  /// The other machine's time at `now` of this machine's clock; `now` itself without an answer. Where clocks drift
  /// apart, old and new bounds may not intersect; the middle is then close to both.
  package func time(at now: Double) -> Double {
    guard var (least, most) = answers.first.map({ ($0.least, $0.most) }) else { return now }
    for answer in answers {
      least = max(least, answer.least)
      most = min(most, answer.most)
    }
    return now + (least + most) / 2
  }
}
