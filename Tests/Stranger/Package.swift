// swift-tools-version: 6.0
// A package of somebody else's: it knows Sextant by its address and a version, and uses the modules as any program would.
import PackageDescription

let address = Context.environment["SEXTANT_ADDRESS"] ?? "../.."
let mode: SwiftLanguageMode = Context.environment["STRANGER_MODE"] == "5" ? .v5 : .v6

func module(_ name: String) -> Target.Dependency { .product(name: name, package: "sextant") }

let package = Package(
    name: "stranger",
    dependencies: [.package(url: address, from: "0.1.0")],
    targets: [
        .target(
            name: "Names",
            dependencies: [module("MapKit"), module("CoreLocation"), module("Contacts"), module("AddressBook")]),
        .target(name: "Retroactive", dependencies: [module("MapKit"), module("CoreLocation")]),
        .target(name: "Clustering", dependencies: [module("MapKit")]),
        .target(name: "Waiting", dependencies: [module("MapKit")]),
        .executableTarget(name: "FindCommand", dependencies: [module("MapKit")]),
    ],
    swiftLanguageModes: [mode]
)
