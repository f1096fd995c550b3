@main struct Begin { static func main() {} }
