import OSC

/// Checks the hooks of a file against its graph, so that no hook fails during the show. [control]
struct HookCheck {
  let graph: CheckedGraph
  /// The number of keys and values of all nodes.
  let size: Int
  let messages: MessageCheck?
  let context: ReadContext
  /// Returns the faults that the graph has with a setting changed.
  let faults: (Override) -> [Diagnostic]

  /// Reports the faults of hooks; `mark` is the place of `hooks:`.
  func check(_ hooks: ShowHooks, at mark: SourceRange?) {
    if hooks.endpoints.count > Limits.messageTargets {
      context.report(.tooManyTargets(of: "hooks", hooks.endpoints.count, at: mark))
    }
    guard let messages else { return }
    // Equal settings of several hooks are checked once.
    var known: Set<String> = []
    var budget = Limits.sceneChecks
    for event in hooks.events {
      for action in hooks[event] where action.text.endpoint == nil {
        if event == .end {
          context.report(.hookAtEnd(action.text.message.address, at: action.mark))
          continue
        }
        switch messages(action.text.message, graph) {
        case .failure(let fault):
          context.report(Diagnostic(fault.code, "hooks.\(event.rawValue): \(fault.message)", at: action.mark))
        case .success(let settings):
          for setting in settings
          where known.insert("\(setting.target)=\(setting.value.text)").inserted
            && graph.setting(setting) == nil
          {
            budget -= size
            guard budget >= 0 else { return context.report(.tooManyHooks(at: action.mark)) }
            for fault in faults(setting) {
              context.report(
                Diagnostic(
                  fault.code, "hooks.\(event.rawValue): \(fault.message)", at: action.mark,
                  notes: fault.notes))
            }
          }
        }
      }
    }
  }
}

extension Diagnostic {
  fileprivate static func hookAtEnd(_ address: String, at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "hook-at-end", "hooks.end: \(plain(address)) has no effect, because the show has ended", at: mark,
      notes: ["send a message to another program, such as osc.udp://127.0.0.1:9000/ended 1"])
  }

  /// `senders`: the word for hooks, or for cues and alarms.
  static func tooManyTargets(of senders: String, _ count: Int, at mark: SourceRange?) -> Diagnostic {
    Diagnostic(
      "too-many-hook-targets",
      "\(senders) send to \(count) different targets; at most \(Limits.messageTargets) are allowed", at: mark)
  }

  fileprivate static func tooManyHooks(at mark: SourceRange) -> Diagnostic {
    Diagnostic(
      "too-many-hooks", "hooks set more than can be checked in a graph of this size", at: mark,
      notes: ["put the settings into a scene, and have the hook go to that scene"])
  }
}
