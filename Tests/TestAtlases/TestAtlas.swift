import Foundation
import GazetteerData
import Importing
import Sextant

/// Atlases that tests share, each made at its first use and gone with the process.
public enum TestAtlas {
    /// Countries, regions and time zones of the whole world, with a dozen towns.
    public static var world: Atlas { get throws { try openWorld.get() } }

    public static var cologne: Atlas { get throws { try openCologne.get() } }
    public static var brighton: Atlas { get throws { try openBrighton.get() } }
    public static var sebastopol: Atlas { get throws { try openSebastopol.get() } }

    /// Helsinki and Monaco, as the product has them.
    public static var towns: Atlas { get throws { try openTowns.get() } }

    /// All of them together, the world beneath.
    public static var everything: Atlas { get throws { try openEverything.get() } }

    /// The atlas of a world that is drawn for one test.
    public static func make(_ world: DrawnWorld) throws -> Atlas { try Atlas.open([imported(world, "Drawn")]) }

    private static let openWorld = Result { try Atlas.open([], world: worldPath.get()) }
    private static let openCologne = Result { try Atlas.open([imported(.cologne, "Cologne")]) }
    private static let openBrighton = Result { try Atlas.open([imported(.brighton, "Brighton")]) }
    private static let openSebastopol = Result { try Atlas.open([imported(.sebastopol, "Sebastopol")]) }

    private static let openTowns = Result {
        let path = try newFolder() + "/Towns.atlas"
        let files = try ["towns/helsinki.osm.pbf", "towns/monaco.osm.pbf"].map { try GazetteerData.url($0).path }
        _ = try AtlasImporter().run(files: files, to: path)
        return try Atlas.open([path])
    }

    private static let openEverything = Result {
        let parts = try [towns, cologne, brighton, sebastopol].flatMap(\.parts)
        return try Atlas.open(parts.map(\.folder.path), world: worldPath.get())
    }

    private static let worldPath = Result {
        let folder = try newFolder()
        var files = try WorldImporter.files()
        files[0] = URL(fileURLWithPath: folder + "/places.tsv")
        try Data(places.utf8).write(to: files[0])
        _ = try AtlasImporter().runWorld(to: folder + "/World.atlas", files: files)
        return folder + "/World.atlas"
    }

    private static let places = """
        # number, name, latitude, longitude, people, country, region, time zone, other names, capital
        658225\tHelsinki\t601695\t249354\t658864\tFI\tUusimaa\tEurope/Helsinki\tHelsingfors\t*
        2993458\tMonaco\t437333\t74167\t32965\tMC\t-\tEurope/Monaco\tMonte Carlo\t*
        2886242\tKöln\t509333\t69500\t1024621\tDE\tNorth Rhine-Westphalia\tEurope/Berlin\tCologne;Colonia;Кёльн
        2654710\tBrighton\t508284\t-1395\t139001\tGB\tEngland\tEurope/London\t
        2643743\tLondon\t515085\t-1257\t8961989\t\t\t\tLondres;Лондон\t*
        5394165\tSebastopol\t384021\t-1228239\t7678\tUS\tCalifornia\tAmerica/Los_Angeles\tPine Grove
        5391959\tSan Francisco\t377749\t-1224194\t864816\t\t\t\t
        5393180\tSanta Rosa\t384405\t-1227144\t174972\t\t\t\t
        4717560\tParis\t336609\t-955555\t24782\t\tTexas\tAmerica/Chicago\t
        2988507\tParis\t488534\t23488\t2138551\tFR\tParis\tEurope/Paris\tПариж;巴黎\t*
        3042030\tVaduz\t471415\t95215\t5197\tLI\t-\tEurope/Vaduz\t\t*

        """

    private static func imported(_ world: DrawnWorld, _ name: String) throws -> String {
        let path = try newFolder() + "/\(name).atlas"
        _ = try AtlasImporter().run([.memory(Array(world.xml.utf8), format: "osm")], to: path)
        return path
    }

    /// A new folder, removed when the process ends.
    private static func newFolder() throws -> String {
        let path = FileManager.default.temporaryDirectory.path + "/sextant-atlases-\(getpid())/" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        _ = removal
        return path
    }

    private static let removal: Void = {
        atexit {
            let path = FileManager.default.temporaryDirectory.path + "/sextant-atlases-\(getpid())"
            try? FileManager.default.removeItem(atPath: path)
        }
    }()
}
