import Metering
import Testing

/// Places of loudspeakers, by the names of channels.
@Suite struct LoudspeakerPlaceTests {
  @Test func `loudspeakers are recognized by all their names, in upper and lower case`() {
    for name in [
      "Ls", "SL", "Side left", "Left surround", "surround-left", "RS", "right_surround", "Lw", "SDR",
    ] {
      #expect(LoudspeakerPlace.named(name)?.weight == 1.41, "\(name)")
    }
    for name in ["L", "Right", "CENTER", "Rear right", "BR", "Rear centre", "Top side left", "FLC", "BFL"] {
      #expect(LoudspeakerPlace.named(name)?.weight == 1, "\(name)")
    }
    for name in ["LFE", "lfe 1", "LFE2"] { #expect(LoudspeakerPlace.named(name)?.weight == 0, "\(name)") }
    for name in ["Kick", "Bass", "", "RFE", "Left hand"] {
      #expect(LoudspeakerPlace.named(name) == nil, "\(name)")
    }
  }

  @Test func `rear loudspeakers are surrounds if no loudspeaker stands at the sides of a center`() {
    let rear: [String?] = ["Rear left", "Rear right"]
    #expect(LoudspeakerPlace.weights(["Left", "Right", "Centre"] + rear) == [1, 1, 1, 1.41, 1.41])
    #expect(LoudspeakerPlace.weights(["Left", "Right"] + rear) == [1, 1, 1, 1])
    #expect(
      LoudspeakerPlace.weights(
        ["Left", "Right", "Centre", "LFE"] + rear + ["Left surround", "Right surround"])
        == [1, 1, 1, 0, 1, 1, 1.41, 1.41])
  }

  @Test func `two LFEs alone do not make channels a 22.2 layout`() {
    #expect(LoudspeakerPlace.weights(["L", "R", "LFE1", "LFE2"]) == [1, 1, 0, 0])
    #expect(LoudspeakerPlace.weights(["FC", "SiL", "SiR", "LFE1"]) == [1, 1.41, 1.41, 0])
  }

  @Test func `five and six channels without names are 5.0 and 5.1`() {
    #expect(LoudspeakerPlace.weights([nil, nil, nil, nil, nil]) == [1, 1, 1, 1.41, 1.41])
    #expect(LoudspeakerPlace.weights([nil, nil, nil, nil, nil, nil]) == [1, 1, 1, 0, 1.41, 1.41])
    #expect(LoudspeakerPlace.weights([nil, nil, nil, nil]) == [1, 1, 1, 1])
    #expect(LoudspeakerPlace.weights(["Kick", nil, nil, nil, nil, nil]) == [1, 1, 1, 1, 1, 1])
  }
}
