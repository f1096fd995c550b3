import Locking
import OpenStreetMap

import Glibc

/// Metrics of wishes, made when they are first asked for and kept for those who ask next.
///
/// In memory are as many as fit into `memoryLimit`, those that were asked for last; one at least. With a folder they are
/// files there besides, mapped instead of held, and found again by the next process. A file is written beside its place
/// and then moved there, so that nobody finds half a one; a damaged one is made anew. Where nothing can be written
/// the memory must do. Files that were asked for longest ago go when all are larger than `diskLimit`; anybody may delete
/// any of them at any time.
public final class MetricCache: Sendable {
    public let folder: String?
    public let memoryLimit: Int
    public let diskLimit: Int

    private struct State: Sendable {
        /// The one asked for last at the end.
        var entries: [(key: String, slot: Slot)] = []
    }
    private let state = Mutex(State())

    /// Filled by the first who asks for it, while the others wait.
    private final class Slot: Sendable {
        let network = Mutex<RoadNetwork?>(nil)
        let bytes = Mutex(0)
    }

    /// - Parameters:
    ///   - folder: made where it is missing; nil keeps all in memory.
    ///   - memoryLimit: bytes of all metrics that are held or mapped.
    ///   - diskLimit: bytes of all files in the folder.
    public init(folder: String? = nil, memoryLimit: Int = 1 << 30, diskLimit: Int = 4 << 30) {
        self.folder = folder
        self.memoryLimit = memoryLimit
        self.diskLimit = diskLimit
    }

    /// How many metrics are in memory.
    public var count: Int { state.withLock { $0.entries.count } }

    /// Whether a metric lies in a file of the folder, for the next process.
    public func isKept(_ metric: RoadMetric) -> Bool { folder.map { metric.name.hasPrefix($0 + "/") } ?? false }

    func network(
        key: String, graph: RoadGraph, profile: Profile, make: () throws(RoutingError) -> RoadMetric
    ) throws(RoutingError) -> RoadNetwork {
        let slot = state.withLock { state -> Slot in
            if let index = state.entries.lastIndex(where: { $0.key == key }) {
                let entry = state.entries.remove(at: index)
                state.entries.append(entry)
                return entry.slot
            }
            let slot = Slot()
            state.entries.append((key, slot))
            return slot
        }
        // Typed errors do not pass through a closure's result of two kinds.
        let result = slot.network.withLock { known -> Result<(RoadNetwork, Bool), RoutingError> in
            if let known { return .success((known, false)) }
            do throws(RoutingError) {
                let metric: RoadMetric
                if let kept = kept(key, graph) {
                    metric = kept
                } else {
                    // What is kept outlives the file it was made of: that has to be whole.
                    try graph.verify()
                    let made = try make()
                    metric = keep(made, key, graph) ?? made
                }
                let network = RoadNetwork(graph: RoadGraph(graph, as: metric), profile: profile, metric: metric)
                known = network
                return .success((network, true))
            } catch {
                return .failure(error)
            }
        }
        switch result {
        case .success((let network, let isNew)):
            if isNew {
                slot.bytes.withLock { $0 = network.metric?.byteCount ?? 0 }
                shrink(keeping: key)
            }
            return network
        case .failure(let error):
            state.withLock { state in state.entries.removeAll { $0.key == key && $0.slot === slot } }
            throw error
        }
    }

    private func shrink(keeping key: String) {
        state.withLock { state in
            var sum = state.entries.reduce(0) { $0 + $1.slot.bytes.withLock { $0 } }
            while sum > memoryLimit, let index = state.entries.firstIndex(where: { $0.key != key }) {
                sum -= state.entries[index].slot.bytes.withLock { $0 }
                state.entries.remove(at: index)
            }
        }
    }

    // MARK: Files

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func path(_ key: String, _ graph: RoadGraph) -> (folder: String, name: String)? {
        guard let folder else { return nil }
        let sum = Array(key.utf8).withUnsafeBytes { Checksum.of($0) }
        return (folder + "/" + Self.hexadecimal(graph.atlasID), String(sum, radix: 16) + ".metric")
    }

    /// The metric of a file that was written before; nil where there is none that is whole and of these wishes.
    private func kept(_ key: String, _ graph: RoadGraph) -> RoadMetric? {
        guard let (folder, name) = path(key, graph) else { return nil }
        let path = folder + "/" + name
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        do throws(RoutingError) {
            let metric = try RoadMetric.open(fileDescriptor: file, name: path)
            try metric.verify()
            guard metric.key == key, metric.fits(graph) else { return nil }
            // The time tells which of the files was asked for last.
            futimens(file, nil)
            return metric
        } catch {
            unlink(path)
            return nil
        }
    }

    /// Writes a metric and maps it; nil where that does not work.
    private func keep(_ metric: RoadMetric, _ key: String, _ graph: RoadGraph) -> RoadMetric? {
        guard let (folder, name) = path(key, graph), Self.makeFolder(folder) else { return nil }
        let path = folder + "/" + name
        let waiting = folder + "/." + name + ".\(getpid()).\(UInt32.random(in: 0 ... .max)).part"
        do throws(RoutingError) {
            try metric.write(to: waiting)
        } catch {
            return nil
        }
        guard rename(waiting, path) == 0 else {
            unlink(waiting)
            return nil
        }
        removeOldest(keeping: path)
        let file = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { return nil }
        defer { close(file) }
        return try? RoadMetric.open(fileDescriptor: file, name: path)
    }

    private static func makeFolder(_ path: String) -> Bool {
        var made = ""
        for part in path.split(separator: "/", omittingEmptySubsequences: false) {
            made += part.isEmpty && made.isEmpty ? "" : "/" + part
            if made.isEmpty { continue }
            if mkdir(path.hasPrefix("/") ? made : String(made.dropFirst()), 0o755) != 0, errno != EEXIST {
                return false
            }
        }
        return true
    }

    private func removeOldest(keeping path: String) {
        guard let folder else { return }
        var files: [(path: String, size: Int, time: Int)] = []
        for atlas in Self.names(in: folder) {
            for name in Self.names(in: folder + "/" + atlas) {
                let file = folder + "/" + atlas + "/" + name
                var status = stat()
                guard lstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { continue }
                // What a process left that was killed while it wrote.
                if name.hasSuffix(".part"), time(nil) - status.st_mtim.tv_sec > 3600 {
                    unlink(file)
                } else if name.hasSuffix(".metric") {
                    files.append((file, Int(status.st_size), status.st_mtim.tv_sec))
                }
            }
        }
        var sum = files.reduce(0) { $0 + $1.size }
        for file in files.sorted(by: { ($0.time, $0.path) < ($1.time, $1.path) }) where sum > diskLimit {
            if file.path == path { continue }
            if unlink(file.path) == 0 { sum -= file.size }
        }
    }

    private static func names(in folder: String) -> [String] {
        guard let stream = opendir(folder) else { return [] }
        defer { closedir(stream) }
        var names: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { names.append(name) }
        }
        return names
    }
}

/// A graph as one profile and one set of wishes see it, with what leads searches over it.
final class RoadNetwork: Sendable {
    let graph: RoadGraph
    let profile: Profile
    /// Nil where the straight line leads.
    let metric: RoadMetric?
    /// Parts of the network with fewer directed edges count as islands.
    let islandLimit: Int
    /// What of it changes with the time; filled when a time is first asked about.
    private let times = Mutex<TimedRoads?>(nil)

    /// A profile and wishes in words: equal for equal ones, and different for others.
    static func key(_ profile: Profile, _ wishes: RoadWishes, isAtAllHours: Bool = false) -> String {
        "\(profile) \(wishes.key)" + (isAtAllHours ? "; at all hours" : "")
    }

    init(graph: RoadGraph, profile: Profile, metric: RoadMetric?) {
        self.graph = graph
        self.profile = profile
        self.metric = metric
        islandLimit = min(1000, max(100, graph.arrays.profile(profile).parts.largest / 2))
    }

    /// - Parameter base: the graph without wishes.
    func timedRoads(_ base: RoadGraph, speeds: SegmentSpeeds?) throws(RoutingError) -> TimedRoads {
        if let known = times.withLock({ $0 }) { return known }
        let made = try TimedRoads(base, profile, speeds: speeds, network: graph.arrays)
        times.withLock { $0 = made }
        return made
    }
}
