/// The position of a loudspeaker around the listener, which the name of a channel states.
public struct LoudspeakerPlace: Sendable, Equatable {
  /// The angle from the front to either side in degrees, 0…180.
  public var azimuth: Double
  /// The angle above ear level in degrees, -90…90.
  public var elevation = 0.0
  /// Whether the loudspeaker is for low-frequency effects (LFE).
  public var isLowFrequency = false

  /// The factor on the energy of a loudspeaker at the side: about 1.5 dB (BS.1770-5, table 3).
  public static let sideWeight = 1.41

  /// The factor on its energy in the loudness of a program (BS.1770-5, table 4).
  public var weight: Double {
    if isLowFrequency { return 0 }
    return abs(elevation) < 30 && (60...120).contains(azimuth) ? Self.sideWeight : 1
  }

  /// The names of positions in the middle and on the left. Those on the right have `right` in place of `left`, or `r`
  /// in place of `l`. They are the names of WAVE, FFmpeg, libsndfile, BS.775 and BS.2051, without spaces and in lower
  /// case.
  private static let names: [(names: [String], place: LoudspeakerPlace)] = [
    (["left", "l", "fl", "frontleft", "dl", "downmixleft"], .front),
    (["centre", "c", "fc", "frontcentre", "mono"], .init(azimuth: 0)),
    (["leftofcentre", "frontleftofcentre", "lc", "flc"], .init(azimuth: 15)),
    (["leftwide", "wideleft", "lw", "wl"], .init(azimuth: 60)),
    (["leftsurround", "surroundleft", "sideleft", "leftside", "ls", "sl", "sil", "lss"], .side),
    (["surrounddirectleft", "sdl"], .side),
    (["rearleft", "leftrear", "backleft", "leftback", "rl", "bl", "lb", "lrs", "rls"], .rear),
    (["rearcentre", "backcentre", "centresurround", "bc", "cs"], .init(azimuth: 180)),
    (["topcentre", "tc"], .init(azimuth: 0, elevation: 90)),
    (["topfrontcentre", "tfc"], .init(azimuth: 0, elevation: 45)),
    (["topfrontleft", "tfl"], .init(azimuth: 45, elevation: 45)),
    (["topsideleft", "tsl"], .init(azimuth: 90, elevation: 45)),
    (["toprearleft", "topbackleft", "tbl"], .init(azimuth: 135, elevation: 45)),
    (["toprearcentre", "topbackcentre", "tbc"], .init(azimuth: 180, elevation: 45)),
    (["bottomfrontcentre", "bfc"], .init(azimuth: 0, elevation: -30)),
    (["bottomfrontleft", "bfl"], .init(azimuth: 60, elevation: -30)),
  ]
  private static let front = LoudspeakerPlace(azimuth: 30)
  private static let side = LoudspeakerPlace(azimuth: 90)
  private static let rear = LoudspeakerPlace(azimuth: 135)
  private static let secondLFE = LoudspeakerPlace(azimuth: 45, isLowFrequency: true)

  /// The position of each name, on both sides.
  private static let places: [String: LoudspeakerPlace] = {
    let lfe = LoudspeakerPlace(azimuth: 0, isLowFrequency: true)
    var places = ["lfe": lfe, "lfe1": lfe, "lfe2": secondLFE]
    for (names, place) in names {
      for name in names {
        places[name] = place
        let isWord = name.count > 3
        places[isWord ? name.replacing("left", with: "right") : name.replacing("l", with: "r")] = place
      }
    }
    return places
  }()

  /// The position that a name such as `Left surround`, `Ls` or `Rear centre` states; nil for an unknown name.
  public static func named(_ name: String) -> LoudspeakerPlace? {
    let plain = String(name.lowercased().filter { !" -_.".contains($0) })
    return places[plain.replacing("center", with: "centre")]
  }

  /// The factor on the energy of each channel of a program, by the names of all channels.
  ///
  /// Rear loudspeakers are at 135° if there are side loudspeakers or no center. Otherwise they are the surrounds of
  /// 5.1, at 110° (BS.775). A layout with a second LFE and loudspeakers left and right of the center is 22.2, whose
  /// front pair is at 60° (BS.2051, system H). If no channel has a name, five and six channels are those of 5.0 and
  /// 5.1. A channel with an unknown name has the factor 1.
  public static func weights(_ names: [String?]) -> [Double] {
    if names.allSatisfy({ $0 == nil }) {
      return names.indices.map { index in
        guard names.count == 5 || names.count == 6 else { return 1 }
        if names.count == 6, index == 3 { return 0 }
        return index >= names.count - 2 ? sideWeight : 1
      }
    }
    let places = names.map { $0.flatMap(named) }
    let hasCenter = places.contains(.init(azimuth: 0))
    let areRearSurround = hasCenter && !places.contains(side)
    let isWide = places.contains(secondLFE) && places.contains(.init(azimuth: 15))
    return places.map { place in
      guard var place else { return 1 }
      if place == rear, areRearSurround { place.azimuth = 110 }
      if place == front, isWide { place.azimuth = 60 }
      return place.weight
    }
  }
}
