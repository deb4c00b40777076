@main enum Command { static func main() { print("visgraph") } }
