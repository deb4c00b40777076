/// Everything of the ring that an audio callback may call, once: the build stops if any of it could allocate or lock.
///
/// [audio] Not meant to be called, only to be compiled.
@_noLocks
func sampleRingAudit(_ reader: SampleRingReader, _ destination: UnsafeMutablePointer<Float>) -> Bool {
  let there = min(reader.request(64), reader.available)
  reader.read(channel: 0, into: destination, count: there)
  reader.consume(there)
  return reader.isEnded && reader.end == reader.position
}
