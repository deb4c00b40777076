import CRealtime

/// Everything of the deck that an audio callback may call, once: the build stops if any of it could allocate or lock.
///
/// [audio] Not meant to be called, only to be compiled.
@_noLocks
func deckAudit(_ voice: UnsafeMutablePointer<DeckVoice>, _ io: IO, _ cycle: Cycle) -> Bool {
  voice.pointee.render(io, cycle)
  return voice.pointee.finish().isSounding
}
