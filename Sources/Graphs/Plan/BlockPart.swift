/// The half of a node that runs in the audio callback, ready to be put into a plan.
public struct BlockPart {}
