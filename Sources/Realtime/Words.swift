public import CRealtime

/// Where a block puts its values when a frame is over. [audio]
public typealias FrameEnd = UnsafePointer<vg_frame>
/// One step of a plan. [audio]
public typealias Op = UnsafePointer<vg_op>
/// The buffers and numbers a block has in its plan. [audio]
public typealias IO = UnsafePointer<vg_io>
