// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "sextant",
    products: [
        .library(name: "Sextant", targets: ["Sextant"]),
        .library(name: "Cartography", targets: ["Cartography"]),
        .library(name: "SextantImporting", targets: ["Importing"]),
        .library(name: "CoreLocation", targets: ["CoreLocation"]),
        .library(name: "MapKit", targets: ["MapKit"]),
        .library(name: "Contacts", targets: ["Contacts"]),
        .library(name: "AddressBook", targets: ["AddressBook"]),
        .executable(name: "sextant", targets: ["SextantCommand"]),
        .executable(name: "site-schedule", targets: ["SiteSchedule"]),
        .executable(name: "sextant-bench", targets: ["SextantBench"]),
    ],
    targets: [
        // Debian's libraries, as module maps and thin shims.
        .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
        .systemLibrary(name: "CSpatiaLite", pkgConfig: "spatialite", providers: [.apt(["libspatialite-dev"])]),
        .systemLibrary(name: "CMicroHTTPD", pkgConfig: "libmicrohttpd", providers: [.apt(["libmicrohttpd-dev"])]),
        .systemLibrary(name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CCrypto", pkgConfig: "libcrypto", providers: [.apt(["libssl-dev"])]),
        .systemLibrary(name: "CPango", providers: [.apt(["libpango1.0-dev", "libcairo2-dev"])]),
        .systemLibrary(name: "CGPS", pkgConfig: "libgps", providers: [.apt(["libgps-dev"])]),
        .target(name: "CFiles"),
        .target(name: "CICU", linkerSettings: [.linkedLibrary("icui18n"), .linkedLibrary("icuuc")]),
        .target(
            name: "COsmium",
            linkerSettings: [
                .linkedLibrary("z"), .linkedLibrary("expat"), .linkedLibrary("bz2"), .linkedLibrary("lz4"),
                .linkedLibrary("pthread"),
            ]),

        .target(name: "CPhoneNumber", linkerSettings: [.linkedLibrary("phonenumber")]),

        // From the ground up: arrows point down only.
        .target(name: "Locking"),
        .target(name: "Geometry"),
        .target(name: "Tables"),
        .target(name: "OpenStreetMap", dependencies: ["Geometry"]),
        .target(name: "OpenStreetMapFiles", dependencies: ["COsmium", "OpenStreetMap", "Geometry"]),
        .target(name: "AtlasFiles", dependencies: ["CFiles", "CCrypto", "Geometry"]),
        .target(
            name: "GazetteerData", path: "gazetteer", exclude: ["README.md"],
            sources: ["GazetteerData.swift", "CountryFacts.swift"],
            resources: [
                .copy("countries.tsv"), .copy("map-style.json"), .copy("lexicons"), .copy("towns"), .copy("world"),
            ]),
        .target(
            name: "Gazetteer",
            dependencies: ["Locking", "CSQLite", "CSpatiaLite", "CICU", "OpenStreetMap", "Geometry", "GazetteerData"]),
        .target(name: "Cartography", dependencies: ["Locking", "CPango", "Gazetteer", "GazetteerData", "Geometry"]),
        .target(name: "Routing", dependencies: ["Locking", "OpenStreetMap", "Geometry"]),
        .target(name: "Guidance", dependencies: ["Routing", "OpenStreetMap", "Geometry"]),
        .target(
            name: "Importing",
            dependencies: [
                "CZlib", "OpenStreetMapFiles", "AtlasFiles", "Gazetteer", "GazetteerData", "Routing", "OpenStreetMap",
                "Geometry", "Tables",
            ]),
        .target(
            name: "Sextant",
            dependencies: ["Locking", "AtlasFiles", "Gazetteer", "Routing", "Guidance", "OpenStreetMap", "Geometry"]),
        .target(name: "PhoneNumbers", dependencies: ["CPhoneNumber"]),
        .target(name: "AddressBook"),
        .target(name: "Contacts", dependencies: ["Gazetteer"]),
        .target(
            name: "CoreLocation", dependencies: ["Locking", "Sextant", "AtlasFiles", "Geometry", "Contacts", "CGPS"]),
        .target(
            name: "MapKit",
            dependencies: ["Locking", "CoreLocation", "Contacts", "Sextant", "Cartography", "PhoneNumbers"]),
        .target(
            name: "HTTPServer",
            dependencies: ["CMicroHTTPD", "Sextant", "Gazetteer", "Routing", "Guidance", "OpenStreetMap", "Geometry"]),
        .executableTarget(
            name: "SextantCommand",
            dependencies: [
                "Cartography", "Sextant", "Importing", "HTTPServer", "AtlasFiles", "Gazetteer", "GazetteerData",
                "Routing", "Guidance", "Tables", "Locking",
                "OpenStreetMap",
                "Geometry", "PhoneNumbers",
            ]),

        // The example program: what a user of MapKit writes.
        .executableTarget(name: "SiteSchedule", dependencies: ["MapKit"]),
        .testTarget(
            name: "SiteScheduleTests",
            dependencies: ["SiteSchedule", "MapKit", "Sextant", "Geometry", "Gazetteer", "TestAtlases"]),

        .executableTarget(
            name: "SextantBench",
            dependencies: [
                "Sextant", "HTTPServer", "Cartography", "Importing", "Gazetteer", "Routing", "OpenStreetMap",
                "Geometry",
            ]),

        // Small atlases for the tests of several modules, each made once a process.
        .target(
            name: "TestAtlases",
            dependencies: ["Importing", "Sextant", "GazetteerData"], path: "Tests/TestAtlases"),

        .testTarget(name: "TablesTests", dependencies: ["Tables"]),
        .testTarget(name: "GeometryTests", dependencies: ["Geometry"]),
        .testTarget(name: "PhoneNumbersTests", dependencies: ["PhoneNumbers"]),
        .testTarget(name: "OpenStreetMapTests", dependencies: ["OpenStreetMap", "Geometry"]),
        .testTarget(
            name: "OpenStreetMapFilesTests", dependencies: ["OpenStreetMapFiles", "OpenStreetMap", "Geometry"]),
        .testTarget(name: "AtlasFilesTests", dependencies: ["AtlasFiles", "Geometry"]),
        .testTarget(
            name: "GazetteerTests",
            dependencies: ["Gazetteer", "GazetteerData", "OpenStreetMapFiles", "OpenStreetMap", "Geometry"]),
        .testTarget(
            name: "CartographyTests",
            dependencies: ["CPango", "Cartography", "Importing", "Sextant", "Gazetteer", "GazetteerData", "Geometry"],
            exclude: ["Golden"]),
        .testTarget(
            name: "RoutingTests", dependencies: ["Routing", "OpenStreetMapFiles", "OpenStreetMap", "Geometry"]),
        .testTarget(
            name: "GuidanceTests",
            dependencies: ["Guidance", "Routing", "OpenStreetMapFiles", "OpenStreetMap", "Geometry"]),
        .testTarget(
            name: "ImportingTests",
            dependencies: [
                "Importing", "Sextant", "Tables", "AtlasFiles", "Gazetteer", "GazetteerData", "Routing",
                "OpenStreetMapFiles",
                "OpenStreetMap",
                "Geometry",
            ]),
        .testTarget(
            name: "SextantTests",
            dependencies: [
                "Sextant", "Importing", "AtlasFiles", "Gazetteer", "Routing", "Guidance", "OpenStreetMapFiles",
                "OpenStreetMap", "Geometry", "TestAtlases",
            ]),
        .testTarget(
            name: "CoreLocationTests",
            dependencies: [
                "Locking",
                "CoreLocation", "Contacts", "AddressBook", "Sextant", "AtlasFiles", "TestAtlases",
            ]),
        .testTarget(
            name: "MapKitTests",
            dependencies: [
                "Locking", "MapKit", "CoreLocation", "Contacts", "AddressBook", "Sextant", "Cartography", "Gazetteer",
                "OpenStreetMap", "TestAtlases",
            ]),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "HTTPServer", "Sextant", "Importing", "Gazetteer", "Routing", "Guidance", "OpenStreetMap", "Geometry",
                "TestAtlases",
            ]),
        .testTarget(
            name: "SextantCommandTests",
            dependencies: [
                "SextantCommand", "Cartography", "Sextant", "Importing", "AtlasFiles", "Gazetteer", "GazetteerData",
                "Routing", "Guidance", "Tables",
                "OpenStreetMap",
                "Geometry", "TestAtlases",
            ]),
        .testTarget(
            name: "Cases",
            dependencies: [
                "HTTPServer", "Sextant", "Importing", "Gazetteer", "GazetteerData", "Routing", "Guidance",
                "OpenStreetMapFiles", "OpenStreetMap", "Geometry",
            ]),
    ],
    swiftLanguageModes: [.v6],
    cxxLanguageStandard: .cxx17
)
