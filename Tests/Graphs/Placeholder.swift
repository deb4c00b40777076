// Graphs
