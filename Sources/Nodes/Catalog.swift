public import Graphs

/// Every node type there is; one line each.
public let everyNode: [any NodeType.Type] = [
  FileSource.self,
  ToneSource.self,
  SoundBankNode.self,
  JackInput.self,
  JackOutput.self,
  Gain.self,
  Filter.self,
  Mix.self,
  Meter.self,
  MeterTableNode.self,
  LevelRange.self,
  Combine.self,
  Gate.self,
  Trigger.self,
  Emitter.self,
  OscOutput.self,
]
