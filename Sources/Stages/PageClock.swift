import System

// The estimate of the server's clock. A page has an instance of the module for each connection that it asks.

nonisolated(unsafe) private var clock = RemoteClock()

/// Takes an answer: asked and answered by the page's clock, and the server's time, all in seconds.
@_expose(wasm, "vg_clock_note") @_cdecl("vg_clock_note")
func vgClockNote(_ asked: Double, _ answered: Double, _ time: Double) {
  clock.note(asked: asked, answered: answered, clock: time)
}

/// Forgets all answers.
@_expose(wasm, "vg_clock_forget") @_cdecl("vg_clock_forget")
func vgClockForget() { clock.forget() }

/// 1 if there is an estimate, else 0.
@_expose(wasm, "vg_clock_is_known") @_cdecl("vg_clock_is_known")
func vgClockIsKnown() -> Int32 { clock.isKnown ? 1 : 0 }

/// Seconds until the next question.
@_expose(wasm, "vg_clock_pause") @_cdecl("vg_clock_pause")
func vgClockPause() -> Double { clock.pause }

/// The server's time at a time of the page's clock, both in seconds.
@_expose(wasm, "vg_clock_time") @_cdecl("vg_clock_time")
func vgClockTime(_ now: Double) -> Double { clock.time(at: now) }
