/// The settings of a node by their paths, as scenes set them.
extension CheckedNode {
  /// Reports faults of a setting's value, by its declaration alone.
  func checkValue(_ value: Tree, at path: String, _ context: ReadContext) {
    context.within(id) { check(typed, value, path, context) }
  }

  private func check<Typed: TypedSettings>(
    _ typed: Typed, _ value: Tree, _ path: String, _ context: ReadContext
  ) {
    var settings = typed.values.all
    let (head, rest) = ValueKind.split(path[...])
    guard let field = Typed.Node.Settings.field(head) else { return }
    context.within(path) { _ = field.readLive(&settings, value, at: rest, context) }
  }

  /// Whether a path is that of the setting that turns this node off, for all channels or for one.
  func isOffSetting(_ path: String) -> Bool {
    guard let off = type.off, let target = SettingTarget(path), target.node == id else { return false }
    return target.setting == off.setting
      || known(String(ValueKind.split(path[...]).rest ?? ""))?.setting == off.setting
  }

  /// Looks up a setting by its path after the id. Returns the path under current names, and how a change is applied;
  /// nil for an unknown setting.
  func known(_ text: String) -> (path: String, setting: String, channel: Int?, change: Change)? {
    guard let target = SettingTarget("\(id).\(text)"), let found = type.setting(at: target.setting),
      target.channel == nil || found.each
    else { return nil }
    let channels = inputs.first?.channels ?? outputs.first?.channels ?? []
    if let channel = target.channel, !channels.indices.contains(channel) { return nil }
    let each = target.channel.map { "each.\($0 + 1)." } ?? ""
    return ("\(id).\(each)\(found.path)", found.path, target.channel, found.change)
  }

  /// The settings that turn the node off: that of all channels, and those of channels with a value of their own.
  public var offSettings: [(path: String, value: String)] {
    guard let off = type.off else { return [] }
    let channels = typed.stated.filter { $0.value.contains(off.setting) }.keys.sorted()
    return [("\(id).\(off.setting)", off.value)]
      + channels.map { ("\(id).each.\($0 + 1).\(off.setting)", off.value) }
  }
}
