import CBenchmark
import CRealtime
import Glibc

/// The meter's kernel compared with a kernel that only loads: 256 samples in the L1 cache, in nanoseconds a call.
///
/// Every figure is the best of many rounds, and compared rounds alternate, so that other processes slow down both or
/// neither.
struct KernelCost {
  private let count: UInt32 = 256
  private let rounds = 200
  private let calls = 1000
  /// Channels alternate, as in a meter: a sum that depends on the previous one would measure its latency.
  private let channels = 8
  private let samples: UnsafeMutablePointer<Float>
  private let lanes: UnsafeMutablePointer<vg_lanes>

  init() {
    let memory = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 64)
    samples = memory.bindMemory(to: Float.self, capacity: 1024)
    for i in 0..<1024 { samples[i] = Float(i % 97) / 97 - 0.5 }
    let state = UnsafeMutableRawPointer.allocate(
      byteCount: MemoryLayout<vg_lanes>.stride * channels, alignment: 64)
    lanes = state.bindMemory(to: vg_lanes.self, capacity: channels)
    lanes.initialize(repeating: vg_lanes(), count: channels)
  }

  func run() {
    print("clone \(vg_clone())")
    let aligned = compare(offset: 0, position: 0)
    report("aligned", aligned)
    report("memory", worst((1...31).map { compare(offset: $0, position: 0) }))
    report("position", worst((1...31).map { compare(offset: 0, position: UInt32($0)) }))
    report("both", worst((1...31).map { compare(offset: $0, position: UInt32(32 - $0)) }))
  }

  private struct Cost {
    var meter = Double.infinity
    var load = Double.infinity
    var ratio: Double { meter / load }
  }

  private func worst(_ costs: [Cost]) -> Cost { costs.max { $0.ratio < $1.ratio } ?? Cost() }

  private func report(_ name: String, _ cost: Cost) {
    print("\(name).meter \(cost.meter)")
    print("\(name).load \(cost.load)")
  }

  private func compare(offset: Int, position: UInt32) -> Cost {
    let start = samples + offset
    var cost = Cost()
    for _ in 0..<rounds {
      cost.load = min(cost.load, nanoseconds { _ in bench_load(start, count) })
      cost.meter = min(
        cost.meter,
        nanoseconds { channel in
          _ = vg_meter(lanes + channel, start, count, position)
        })
    }
    return cost
  }

  @inline(__always)
  private func nanoseconds(_ body: (_ channel: Int) -> Void) -> Double {
    let begin = vg_now()
    for call in 0..<calls { body(call & (channels - 1)) }
    return Double(vg_now() - begin) / Double(calls)
  }
}
