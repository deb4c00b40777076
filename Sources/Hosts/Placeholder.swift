// Hosts
