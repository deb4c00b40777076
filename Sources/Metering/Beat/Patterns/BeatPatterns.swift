/// Scores a beat by the onset strength in its eighths: logistic regressions for its place in the bar, and for lying
/// half-way between two beats. `tools/bench.d/learn_beats.py` trains them on generated pieces and writes the weights
/// into this file. [any]
enum BeatPatterns {
  /// The number of parts of a beat.
  static let parts = 8
  /// The number of symbols that an observation of a part may have: three bands of four grades each.
  private static let symbols = 64
  /// The number of weights in a row: one for each symbol of each part, then one for each band of each part.
  private static let row = parts * symbols + 3 * parts
  /// The factor from the integers of the table to weights.
  private static let unit: Float = 0.00168923

  /// The weights of the three distances of the harmony (`BeatHarmony.end`): for each beat of a bar of four, and for the
  /// downbeat of any bar. They are relative to the scores of the table.
  private static let ofFour: [SIMD3<Float>] = [
    [1.05, 0.45, -0.73], [-0.50, 0.77, 0.90], [-0.02, -0.74, -0.19], [-0.53, -0.49, 0.02],
  ]
  private static let first: SIMD3<Float> = [1.63, 0.81, -1.99]

  /// The scores of a beat: log-odds in nats, up to a constant.
  struct Scores: Sendable {
    /// For beats 1 to 4 of a bar of four.
    var ofFour = SIMD4<Float>()
    /// For the downbeat of a bar of any length.
    var first: Float = 0
    /// For a place half-way between two beats.
    var between: Float = 0
  }

  /// Scores a beat. `strengths` is a ring with the onset strength of each part in three bands, as shares of the recent
  /// peaks, 0…1; `from` is the index of the oldest part. `harmony` has the distances from the beats before
  /// (`BeatHarmony.end`).
  static func scores(_ strengths: [SIMD3<Float>], from: Int, harmony: SIMD3<Float>) -> Scores {
    var scores = Scores()
    for part in 0..<parts {
      let strength = strengths[(from + part) % parts]
      add(part * symbols + symbol(strength), 1, to: &scores)
      for band in 0..<3 { add(parts * symbols + 3 * part + band, strength[band], to: &scores) }
    }
    for beat in 0..<4 { scores.ofFour[beat] += (harmony * ofFour[beat]).sum() }
    scores.first += (harmony * first).sum()
    return scores
  }

  private static func add(_ place: Int, _ factor: Float, to scores: inout Scores) {
    for beat in 0..<4 { scores.ofFour[beat] += factor * weights[beat * row + place] }
    scores.first += factor * weights[4 * row + place]
    scores.between += factor * weights[5 * row + place]
  }

  /// The thresholds are those of `learn_beats.py`; the weights depend on them.
  private static func symbol(_ strength: SIMD3<Float>) -> Int {
    func grade(_ value: Float) -> Int { value >= 0.55 ? 3 : value >= 0.25 ? 2 : value >= 0.08 ? 1 : 0 }
    return 16 * grade(strength.x) + 4 * grade(strength.y) + grade(strength.z)
  }

  /// Six rows of weights: for beats 1 to 4 of a bar of four, for the downbeat of any bar, and for a place between two
  /// beats. A weight is two digits of base 64, with an offset of 2048.
  private static let weights: [Float] = {
    let alphabet = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz+-".utf8)
    let digits = table.utf8.compactMap { alphabet.firstIndex(of: $0) }
    return stride(from: 0, to: digits.count, by: 2).map {
      unit * Float(64 * digits[$0] + digits[$0 + 1] - 2048)
    }
  }()

  // swift-format-ignore
  private static let table = """
    QhW2UfYRSPUVTaUHTcXoXhV-TSWZWoUKRJW8UHVhUuWxUwX2SmWlXrX9TeWeYUVrRcWfY7WxTFXPZ+Z9UyVtZjXqRiVbazWjU2WxZ-XsU7ZSZOabTWUVXOWi
    RWVXaEVYVvUTXdVuSrP2UfVyXIS+UEVRaPVtVrT-YKWsYCXfV4RwWKW1XnUsVjWNXEUMUrUsWhYDXFVXVpTeXDX6Z8VSUuWPWYVYWDVcV2WtWZVZUhWpX4Xw
    XaWTVUVSXRY5X4WbTZW5VoXCUtSeWRalUVT3UZU-PPWiXUd3VrY5WmSxZaULVyZ0Z3WzVKUwVxW7UmSEWFVGV9Wcb4WMXUXrXzWXTDSiXTW9VRSOUDTRVoV7
    acVJXyYAYQXLUTVOVwWiVPTqT-VCX6WVWLUFWeX6VUUtVxWcV+VqWJYQV8UVVqWAXuU7WTWvXIVKVMVrVXViVSWJW3VJVoW5XGVBWHVcXuVgVgVvWwW8V+VT
    WKVzVgVxXUVoW9V-Y0W2VpVuVgWHUmVTZxSwVFZ9Z9USWuYqYeX8UkWdV0V+WERgYKTzUQXVXsWBVaXtW9ZFXUWMTHWlVnTOVQTmVnUqVXWAVOV+XLVjWtVk
    UwV-XOTwVaUMTwUyYzWfUkWVWQU3TDV1YbW4UBY9WYV0TBRmXNW9VwV-aZWRVHWwViW7VnUpW1UcVJXuWqV-WaX6apV4VWVrVKVkUBXFUhVUW0WYWGUuWmXE
    bIVaVWVbWBV3VNVkVhVfW9VwW4WFW2VzW-VzWZVSVSVsV3TvXtR6QzRbYWS9RGThZBUtUJVrWRYDYGaVWCUyWUUMXNW4WiVaZ1VeTmUvVgWhVlbAUgUtZdWj
    UoVqX0Z7YRXOSsV0Z4WARzWsU3W4WYWiTfZ2WwW7VIY9U3WaZZVSVWVbWDV3SYWRWITAVCVsVLVQUYVvXPWDWvXlX7WdVfVrX3U1VxW2VtWiVaXcVlVgVXXe
    XbVqWKV-WxV4W8XqVSUkVrW1VkVYWFXRYfW8WHWGVIWMYFWYTwWHV+WIVIWPUbUfptTjGkhTUdNfbqTwVAYZYjVVPxUyV4UQWLOjaQdAVlXpVgYvaoVeUQQu
    atV6TwUwZ0TMThU4ZFVMVsWPc1WIXAWLcfUuUeUQb1TySiUHazVtSzWVYdW1V7V6ZrWaTXVIY0X6RaVeXgVjTcWOWaVgUrTnZqVeT1SRVGZSV-UXVQZ2RQVr
    WxWDVaVVZPctXXUaVvaPZLU7S-V6WOW-TZT9UQV1XXZGWAUUVLWGWQUXVQVYVVX4UTUqVHV+W+XNUDVfVNWhVvVqUdVEWxXGWrVGVWVnXiViUwVWVXWHV9WV
    UVVCUlXXYpUkVKTjYcZJSUTBXIZRTmVTXsfWV+QeWtVVWJZoWsUFWCWuUvTTUMUSW6ViU8VAWSVLZHY-UKW2WUYITAVBUsYKUgVoVgWtYBWNWQWXThVvTtW0
    VVVgUwVcVZVnVaWSYBWWWBVlWdWmVFVfWJVdVwVcUvWKVoUmWXXDW3VRW4XQW7VVWeV6VdWSWDWFVwVrWbWUViVzV0V4VjW6VnW8VrW3VmVzWCWDXEWCWGVv
    UAVYWDWOWBVqV-V-WEVvVZW2UeZTZhVMSHWCV4TyT+VdUnVjVxcIXfa6VOYTWUTxUbWMWYUmTeVcTjV4WJX6ThWbX0YpX9XqV5VwVkUcTBVgTQTbXhVrUMUs
    UdWSXOWsUQXwY2WSUCXGXmW8VfZEXpStULYjadbBV2VJXDWASfW4X-YCX0V5X0UeUWWlWjUdVWWYWYUhSlXVWLYDWEVkXdUJUOVdU2UuURVkWBUtTdVAV6Wk
    WwWgVfVpWpWGVxVmVHWOVbX1UuWXWYWoWWViWRUZSoZAZSazSsZSXlZ4T2Z5UiUgRmVKTyQ0TOWyXcVhSzXeVgWWVqYqZ2VSXaWQW6NTTBYGTxUdUHYvVsX7
    UBaFdXXXWJXNZLQvTqVHU-VXQvWGWTW7V5WZXxVXVGX5XcXWXtX0YTWSWVWpTyU2XXVFUeVwVVVWUBVCWRUNVWWXVVWnTtWBVnV9W8UiVtVsVtUHVsWKVeVf
    WBWDUzVIYbVRVqW1X2W9WKUXULVcWSViURVgVlVrXaWPXDVwVRXSaIa-JFbalCOTdAbcQXTaUdWFSfULXiVdTNUASAc-TKNvRJZ2XLSWRPVIXCcRRYUBXPc+
    XZTgWOYVZLWZWNV0TMV4XOY5RUUYYLbdTiW0YJXUU0UiXoSqVnVXWtXfSXSHWKZXTES0XkW4UQW7XcUYWsVPUQZDSXSiYNXgX1VfWeXHR6TtaZWhVbWVW-Y4
    ScQjUsYYUZS5TTX5WaWVVmVuZoWxX1VqTlSUVJWXWFVlUjXDWEY1XdTwYbUzX1WzUhV1XNXJUzWTXPUsY2XaVMUeY9VbXXX7UWWBWQV8WyVHX+VAWZWFXNU7
    UzWsU+X3TxXuWAVFUZXiXEYzaCUTVdWbX1TbUEW0UaZUVeSvTSV5bxZWU6ViSma1W2V5TwV8VIXIS-UHV5XeY2YZUJVmWEWSX0V1UQVqW-WIUjVHUYVHXvWX
    VJVwXHVtTtU9XBVqVpWoXqVYWfW1WCWDWeWkWLV3VuV4VcVZWAXrVXVnT-W9Y2W2XLWAWaWgUwVhV+W2W-XDWYVxUQVhWrWFVEW3VzVzUxVxW7VzVaV-W2Vu
    UlVsWKVxVWV+WBWjX8SoSeW1YnV1VvWHW4WJXxWtZ8RzSyUDWqUIVFV8XEUgVVVVZIVVXEWQW6VWZlWqW2UeTJTOYYVHVhVRWQUyX3YZVaYUX-YiV7UoYAUm
    TEUbW2TMV2VqXBaUTJTgYYZbZBUWRMQwX-V6VCVcWSXgUxSZX-VQURVZZSWeVSW9XIVWVCWZWXU5VDTRXIVEVaXiYuXWV3VvXpVLVgWSU-VMVZUsVXWnVIYP
    UwVvWWWTXMV9WOWfWNVjWEXJVvWeWJZIYoW4VCTkX+UpWnUDX9TRU8USbKUqVPV1ZTXzVAZdZCUlSAVAWtUoS8WbTeTrVbc5YjWeX6YOZtUsT3SdXJSUQEUN
    TXUVXbcwX1X0V+VobZUIWHV1YlU3VCVpUcUqUrX8TSVtWzVgUjVKXZX0UfYKZsWtUuWTZ0UcVJW1WGW9WLUoWMVYWpXfWuU-W4WgZLX7VCVjW8WTU+VWVpV3
    UNXCW0VNVdWLWXUpW0VcVfVzVeUcUUVmWbWnW2VtVWVTUbVYcEPCJlaXMQTDXESwWUVwaGYQZrZlb+awW2Q2ZSeMXFStaOXab9X4XoSIZEaGZ8RtTtZEWHVU
    S0VaV1YJXMWYVCTxV1XgWAQ+WZXMVCV8VSWsUpYuY1VrTxUMYRXnUDQ4XsZ4V1UWaFWdRtWPWaW2UoTDXaWGTGTMYGUSU1VYf-VcRrV+VdWsTsUaZCbQX0U-
    WIYaX1XQU4WZW3XASNX5UPVXXiaNWEX0UhXBXCVxVAW7W5YBUJW2UUVaWZY0VET+UaVRVsWzUrVjVZWYU0WKURVbX8VNVdVTT-W1VQWxVZUWUrVpWiWNXyW4
    WfUDYzUuXjTsYWUdWaNMUzTnUKWuWlVJT3V+WFVFWdYYSSVAXvWXcOWcVJYMViTJTNUMX5TfXqUiXxUTXcWLWjYMUeZDXQWaSmWZXWUbVcVmWlWXXFVgVoXv
    X+YBTaV+VHWFULVlVcXYV-VdWXVAVcVpWWXGWYWtTvUgVxVtW6XTV0ViU+VxW6VEWUWaWaVzUnWaVVWOVzWZViVrW7VuVwWPVZVzV-WFWqWjVdVnV6WKVxWE
    WeVuXYVrSMYuWUTWTrYNWBU-VMU+WcUsTzTqXDY3TWXLXvXUUMWqWSVwUyTiVdWBYMUhUrXFVaWrXoY1UuWhXFY1X5XjWjWAVtTkUJWaYkYRUaXUXRUvVEXl
    YNWvVuSPWWV4TWTRT+VpYvaBTeXVVjWGUOTtVrWMTLXRWqZ2U2W2WaVOUQV-VkViT+XOW+WZVCXMWgUpW5VRYwWiVYY4VRVUU8XyXtWsVPVXXjU6WeWDVRVu
    VLWGW0UPVnVsUjUVWBVsWFWHUaXhYRXmUiXdYGX3UgWeavZ5UXViWRYWV0UBUnUOUWVbZWWoSKUoZ6X6X9X6WdTKXTUGTOULV6UTY6VBU7TxXSX8V8W0V9TM
    Z7ViWXW2XxUSUOWnUwVGWsW8UcWhW5ToWWW6W4VVWYYlXMX8WXV3V1VMWHVsTyWVVBX0WdVXV9YRXtWHVbUYVTWlWLVsTIV0VPWBVzVyVzXGX8VuVeWhWNWc
    VgW0UyXGV2WjVgW7YhXQVZVuVyUbUqVzXpUlUaStIiZZiNNbZsbZUSdeXnTLSQVoWbTjTdUZZVcHQsOdZkUKQfV3PSV8XCdFSvTsTgWzU5YHYZXzR5WHYUWn
    NTVLTkWfV9VhVuZFR-WHXjZPUUV7ZqXIOTVKXqVkSuWtXpYiVEVEZ7b8SCVdcfXEONVca9ViUOYlWkcUTISKUyY5Y4VeXjVIWkRgZJYOQfJxQoVvXYSJT+UD
    cNXEWJUWZuWhbvXaV6OFTxWJZGVkUaYPYAW9WIVDX3Zxa7UTWCPHVUYOaAUAVrVOXSV7WlVYSdYNYsVyV7W1WTYmYKWJTtVTZyYRWhSuT2UWTSajU4QMVNc7
    UgSrTfS1LPYHYGgoVXYbW+TuZQRsWGbPaIY8TqV2W7WAUxPdWLUvUrXucrWKYQcWYxWMRfTEX+WDUXPUT4S0VOUoc7VJYVaGaPXgTPVpVwWzVJRnVcTGInV3
    YiT6MZV3YfT5U-S1WpVmV0XkX1USVgYyZ+TmTocwaWVPTPZOVWVAUkUuXTVyW5cjZLUiUie7ZHVTVdU-X9WDVxTyUqVhVRVuXqVvWLakYKW1UrZDVaWMTxUP
    XhRUUjbKXNTAWLaWWma4VKX5WpX1X9PnZhTXVZZYZmWMVna8W6cPWfWnWEZ2U5QvXRSvVTUfU5WHU1W5XfVzVTUGWcW5YhQMV7TwSLV6a6W6S+X9YET3RwT3
    ZhWMR-WQWhXNSbUiYrW5VmY-b0XPV9UwVtWmVzSiVlVaVoXLX-WBVzZYchV6VAX9V7VeTfVwTVUEUiV7VaTjVWWtdcVZVQUCXUUvVHV2TnVFW0VuVxWVV-Uw
    XtW0WfUmV+VoUsSSYPQNPMSHaZQoQoUIbqTXSWVVWlYfYnbhWHUPXHTRY4WuXHVwbfVOT2UQVKWyVXazTZU5aqWWT2VXXwYqZ0YARYUTabWGQRTeR+W7WXWn
    RtaDXxVKWBZ1TbXMbIV2W8W5WhSTR-WrW+V1WEWXWeVKQCVbYfXAWPVbWlW6WfV+XbU8VHWBVIW+VyX-VQWISyXVY5VlWPW0XaVtWFX+WWTxVHWGVjVCWMX9
    Z+WNWBWNURWrZAWlTHWsW5WSUxWdUOUN--Uu6joGUiHhgwSTWafQY3heNFTbQDTSWbQ8aVd7UiYNU4XthmYba3RiWTWXY6ZJabUaTKV2a9cwWlUtcQaBdyXs
    RxX2Z0Z5TjQaScUGadXJT4TMakYfZiahQUTqYUWxO1MDPWRsV6RBVCUsYlW+XmZ6SbWXT+WDOBTBW9QXQ1X5W7VTY4XpZ4YRXNTqW0WNWTWtUnWnUtXIXXTI
    VrX4WoY3VBVPWkWsVWVwUsVDWFVLWhQ-UOYIVjWhV2ZMXDVmTpWZVMUgW0VwVeQjRDVeVhVmUhaqYHW0V5VPWjVWV3VdWrWrTxTBYea1W9ROXWXzZeUFVaVp
    XbT7Y1OxSpRcTBZHUeU+X1WNW8X4YSaAbiWBTRTKRiUHUtTwTtW4WoTNTrWcZOX+VyVTcgXFRlUtTGWKUwWSWCXWUyW6a9YEXPWKZEY2XoV6YfUqWTUdVvUi
    TwU1X1UJVYViVaW7WjUwVQW5VvV9WHTiRfWvXfVGWCWCYLXcWFVXW8VIWmUHU-UgTlWmYBVpVpVzYIXcWFVxW3WGV5WBVTVUWDWuXgUqW1WZZ1ZWJyTzTCaU
    SxUzT3RxRnXqWoWWPDOITcZsRKUgPDSWXeUCTIRBYiagYjXaU0VcZSapW0VBSNPqZHVcVUTldfb7bUZSYWYnVzYoZkWrSuT4aMW9XsVAeCYMWLahbXUxWOWD
    T7TZTmUpUgaiW0UNVqWWWEVXXqTrU5ZcVHVUTwUQWVYtVZUGWUXLXyVlVcUuVHb-WrTfVUVRXGU6UAVtXJUSWRVWW0WAV4byapWaVhVzXhRmTAVkXPWHUsWn
    XhWIV3WMXsaAQ7SMWIb8T4SCTZYgWDWpU9dbVScaYda9VuSKWrY4TGUVVpXAUYT6UITFT1YMZYZ4UVXIYHXXSSWsYcWlT1VXW6WkQTU9amWaX7VIYDWAV5UB
    Y0W4S5VWUpVYRdWVV9Z3SKXKVeXuUBWhVcY3T2Y9VUWlWJVbWfWdUTWyVxXQTzYIW1VwUiW9VxWJV5UoW5WuVdWhVDZPWHWwWeVDV8WTVnVzUXUoWyW0VrVy
    X3VuVhW4VJVQUzW-WrVsUkUAOwGtRbQsRgXcYFhaigXXc0Xqcuklb4ZobsUhTFN1JgWBP9Us
    """
}
