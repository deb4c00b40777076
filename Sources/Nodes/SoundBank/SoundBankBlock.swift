import CRealtime
import Engine
import Realtime

/// Plays sounds from memory and mixes them. [audio]
struct SoundBankBlock: ~Copyable, Block {
  struct Settings: BitwiseCopyable {
    /// Identifies the table of sounds: each plan has another stamp.
    let stamp: UInt64
    /// The table of sounds.
    let rows: UnsafePointer<SoundSlot>
    let count: Int
    /// By the number of a sound: its index in `rows`; -1: it is not there.
    let rowOf: UnsafePointer<Int16>
    /// Maximum voices that play at a time.
    let voices: Int
    /// Whether a sound stops all others.
    let stopsOthers: Bool
    /// The gain of the bank.
    let factor: Float
    /// Maximum frames after which an event is heard.
    let delay: Int64
  }

  /// Maximum samples that are mixed in the scratch buffer at a time, before the gain.
  private static var longestRun: Int { 1024 }

  private let now: UnsafeMutablePointer<MPSCQueue>
  private let later: UnsafeMutablePointer<MPSCQueue>
  /// Passes commands at the starts of frames; nil where commands act as soon as they arrive.
  private let gate: UnsafeMutablePointer<CommandGateShared>?
  private let scratch: UnsafeMutablePointer<Float>
  /// By row: how often the sound has been played to its end in this frame.
  private let completed: UnsafeMutablePointer<UInt32>
  private var voices = SamplerVoices()
  private var tail: ReleaseTail
  private var stamp: UInt64 = 0
  /// The gain at the beginning and at the end of the current frame.
  private var from: Float = 1
  private var to: Float = 1
  private var isFirstFrame = true
  private var isSounding = false

  init(
    channels: Int, rate: Int, queues: SamplerQueues, gate: UnsafeMutablePointer<CommandGateShared>? = nil
  ) {
    self.gate = gate
    now = queues.now
    later = queues.later
    scratch = .allocate(capacity: Self.longestRun)
    scratch.initialize(repeating: 0, count: Self.longestRun)
    completed = .allocate(capacity: SoundsSetting.most)
    completed.initialize(repeating: 0, count: SoundsSetting.most)
    tail = ReleaseTail(channels: channels, rate: rate)
  }

  deinit {
    scratch.deallocate()
    completed.deallocate()
  }

  @inline(__always) @_noLocks
  mutating func process(_ io: IO, _ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    if cycle.position == 0 { beginFrame(settings, cycle) }
    takeCommands(settings)
    mix(io, cycle)
  }

  @inline(__always) @_noLocks
  mutating func finish(_ io: IO, _ settings: UnsafePointer<Settings>, _ frame: FrameEnd) {
    var row = 0
    while row < settings.pointee.count {
      let value = Int(io.pointee.firstValue) &+ row
      frame.pointee.sums[value] = Double(completed[row])
      frame.pointee.peaks[value] = 0
      completed[row] = 0
      row &+= 1
    }
    frame.pointee.sources[Int(io.pointee.firstSource)] = isSounding ? 1 : 0
    isSounding = false
  }

  // MARK: - Commands

  /// Takes the settings of the frame, and carries out its commands. Plans change only at the start of a frame.
  @inline(never) @_noLocks
  private mutating func beginFrame(_ settings: UnsafePointer<Settings>, _ cycle: Cycle) {
    if settings.pointee.stamp != stamp { adopt(settings) }
    from = isFirstFrame ? settings.pointee.factor : to
    to = settings.pointee.factor
    isFirstFrame = false
    var word = later.pointee.peek()
    while word != 0 {
      let late = SamplerCommand(word: word).lateness(in: cycle.frame)
      // A command further ahead was queued with a longer delay; it would hold up all commands after it.
      if late < 0, -late <= settings.pointee.delay { return }
      if late > 0 { cycle.counters.pointee.lateLevels.add(1) }
      later.pointee.drop()
      perform(SamplerCommand(word: word), settings)
      word = later.pointee.peek()
    }
  }

  /// Finds the sounds of the voices in the table of another plan; voices of sounds that are not in it are cut.
  @_noLocks
  private mutating func adopt(_ settings: UnsafePointer<Settings>) {
    stamp = settings.pointee.stamp
    var slot = 0
    while slot < voices.end {
      let voice = voices.voice(slot)
      if voice.pointee.index >= 0 {
        let row = Int(settings.pointee.rowOf[voice.pointee.row.number])
        if row >= 0, settings.pointee.rows[row].samples == voice.pointee.row.samples {
          voice.pointee.index = row
        } else {
          cut(slot)
        }
      }
      slot &+= 1
    }
    while voices.count > settings.pointee.voices { cut(voices.oldest()) }
  }

  /// Carries out the waiting commands that act at once.
  @_noLocks
  private mutating func takeCommands(_ settings: UnsafePointer<Settings>) {
    if let gate, !gate.pointee.isOpen { return }
    // At most as many as the queue holds, so that a source that fires endlessly does not hold up the cycle.
    var remaining = MPSCQueue.capacity
    var word = now.pointee.peek()
    while word != 0, remaining > 0 {
      now.pointee.drop()
      perform(SamplerCommand(word: word), settings)
      word = now.pointee.peek()
      remaining &-= 1
    }
  }

  @inline(never) @_noLocks
  private mutating func perform(_ command: SamplerCommand, _ settings: UnsafePointer<Settings>) {
    if command.isStopAll { return cutAll() }
    let row = Int(settings.pointee.rowOf[command.number])
    // The sound is not in this plan; an earlier plan had it.
    if row < 0 { return }
    let sound = settings.pointee.rows[row]
    guard command.isPlay else { return cutAll(of: command.number) }
    if settings.pointee.stopsOthers {
      cutAll()
    } else if sound.retriggers {
      cutAll(of: command.number)
    }
    while voices.count >= settings.pointee.voices { cut(voices.oldest()) }
    voices.start(sound, index: row)
  }

  /// Cuts all voices, or those of the sound with a number.
  @_noLocks
  private mutating func cutAll(of number: Int = -1) {
    var slot = 0
    while slot < voices.end {
      let voice = voices.voice(slot)
      if voice.pointee.index >= 0, number < 0 || voice.pointee.row.number == number { cut(slot) }
      slot &+= 1
    }
  }

  /// Frees a voice; its rest fades out in the tail.
  @_noLocks
  private mutating func cut(_ slot: Int) {
    // A voice that has not played yet needs no release.
    if voices.voice(slot).pointee.position > 0 { tail.add(voices.voice(slot).pointee) }
    voices.free(slot)
  }

  // MARK: - Mixing

  /// Mixes voices and tail into the outputs, with the gain of the frame.
  @inline(never) @_noLocks
  private mutating func mix(_ io: IO, _ cycle: Cycle) {
    var done = 0
    while done < cycle.count {
      let remaining = cycle.count &- done
      if voices.count == 0, tail.left == 0 {
        var channel: UInt32 = 0
        while channel < io.pointee.outputCount {
          vg_clear(cycle.output(io, channel) + done, remaining)
          channel &+= 1
        }
        return
      }
      isSounding = true
      // No voice and no tail ends within a run, so the order of additions does not depend on the cycle.
      var run = voices.run(upTo: min(remaining, Self.longestRun))
      if tail.left > 0 { run = tail.run(upTo: run) }
      var channel: UInt32 = 0
      while channel < io.pointee.outputCount {
        let output = cycle.output(io, channel) + done
        if from == 1, to == 1 {
          mix(Int(channel), into: output, run)
        } else {
          mix(Int(channel), into: scratch, run)
          if from == to {
            vg_scale(output, scratch, to, run)
          } else {
            let position = cycle.position &+ UInt32(truncatingIfNeeded: done)
            vg_ramp(output, scratch, 1, from, to, position, cycle.length, run)
          }
        }
        channel &+= 1
      }
      advance(run)
      done &+= run
    }
  }

  /// Mixes a channel: the voices by index, then the tail. The first is copied rather than added, so that a single
  /// sound equals its file to the bit.
  @_noLocks
  private mutating func mix(_ channel: Int, into output: UnsafeMutablePointer<Float>, _ count: Int) {
    var hasOutput = false
    var slot = 0
    while slot < voices.end {
      let voice = voices.voice(slot)
      if voice.pointee.index >= 0, let source = voice.pointee.row.source(channel) {
        let samples = source + voice.pointee.position
        if hasOutput {
          vg_add_scaled(output, samples, voice.pointee.row.factor, count)
        } else {
          vg_scale(output, samples, voice.pointee.row.factor, count)
        }
        hasOutput = true
      }
      slot &+= 1
    }
    if tail.left > 0 {
      if hasOutput {
        vg_add(output, tail.samples(channel), count)
      } else {
        vg_copy(output, tail.samples(channel), count)
      }
    } else if !hasOutput {
      vg_clear(output, count)
    }
  }

  @_noLocks
  private mutating func advance(_ count: Int) {
    var slot = 0
    while slot < voices.end {
      let voice = voices.voice(slot)
      if voice.pointee.index >= 0 {
        voice.pointee.position = voice.pointee.position &+ count
        if voice.pointee.position == voice.pointee.row.count {
          completed[voice.pointee.index] = completed[voice.pointee.index] &+ 1
          voices.free(slot)
        }
      }
      slot &+= 1
    }
    if tail.left > 0 { tail.advance(count) }
  }

  static var processing: vg_process { { runBlock(SoundBankBlock.self, $0, $1) } }
  static var finishing: vg_finish? { { finishBlock(SoundBankBlock.self, $0, $1) } }
}
