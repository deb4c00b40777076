/// How the player of `visgraph play` begins. [control]
struct PlaySettings {
  /// Whether it waits to be told to play.
  var holds = false
  /// A number, or `forever`.
  var loop: String?
  var rate = 1.0
  var hasVarispeed = false
  var volume = 1.0
  var pan = 0.0
  /// The section, in seconds.
  var from: Double?
  var to: Double?
  var again = "off"
  /// The seed of an order by chance.
  var shuffle: Int?
  var transport = "own"

  /// The settings of a file-source, as a graph file writes them; those that are as usual are left out.
  var pairs: [(name: String, value: String)] {
    var all: [(name: String, value: String)] = []
    if holds { all.append(("start", "pause")) }
    if let loop { all.append(("loop", loop)) }
    if rate != 1 { all.append(("rate", "\(rate)")) }
    if hasVarispeed { all.append(("pitch", "varispeed")) }
    if volume != 1 { all.append(("volume", "\(volume)")) }
    if pan != 0 { all.append(("pan", "\(pan)")) }
    let ends = [("from", from), ("to", to)].compactMap { name, time in time.map { "\(name): \($0)" } }
    if !ends.isEmpty { all.append(("section", "{ \(ends.joined(separator: ", ")) }")) }
    if again != "off" { all.append(("repeat", again)) }
    if let shuffle { all.append(("shuffle", "\(shuffle)")) }
    if transport != "own" { all.append(("transport", transport)) }
    return all
  }
}
