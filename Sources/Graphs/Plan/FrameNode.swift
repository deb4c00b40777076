/// The half of a node that runs on the frame thread.
public protocol FrameNode: AnyObject {}
