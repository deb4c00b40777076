// Nodes
