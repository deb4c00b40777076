/// The settings of a node that ask for `changes`, as text: two nodes with the same text need not be rebuilt for them.
public func settingsText(_ node: CheckedNode, changes: Set<Change>) -> String { "" }
