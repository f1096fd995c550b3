import Foundation
import Routing

extension SegmentSpeeds {
    /// The largest file that is read, in bytes.
    private static let sizeLimit = 1 << 30

    /// Reads a file of speeds: CSV, each line `from node,to node,km/h`, or JSON, an array of
    /// `{"from": 1, "to": 2, "speed": 30}` (by itself or as the member `segments` of an object). A speed of 0 closes.
    ///
    /// - Throws: `RoutingError.fileError`, and `invalidRequest` naming the first line or entry that cannot be read.
    public init(contentsOf path: String) throws {
        let data: Data
        do {
            let size = try FileManager.default.attributesOfItem(atPath: path)[.size] as? Int ?? 0
            guard size <= Self.sizeLimit else {
                throw RoutingError.fileError(file: path, reason: "is larger than 1 GB")
            }
            data = try Data(contentsOf: URL(fileURLWithPath: path))
        } catch let error as RoutingError {
            throw error
        } catch {
            throw RoutingError.fileError(file: path, reason: "cannot be read")
        }
        let first = data.first { ![0x20, 0x09, 0x0A, 0x0D].contains($0) }
        guard first == UInt8(ascii: "[") || first == UInt8(ascii: "{") else {
            try self.init(csv: data)
            return
        }
        try self.init(json: data)
    }

    /// - Throws: `RoutingError.invalidRequest`.
    public init(json: Data) throws {
        let value: Any
        do { value = try JSONSerialization.jsonObject(with: json) } catch {
            throw RoutingError.invalidRequest(reason: "the speeds are no JSON")
        }
        guard let list = (value as? [Any]) ?? (value as? [String: Any])?["segments"] as? [Any] else {
            throw RoutingError.invalidRequest(reason: "the speeds have no list of segments")
        }
        var segments: [Segment] = []
        for (index, entry) in list.enumerated() {
            guard let entry = entry as? [String: Any], let from = (entry["from"] as? NSNumber)?.int64Value,
                let to = (entry["to"] as? NSNumber)?.int64Value, let speed = (entry["speed"] as? NSNumber)?.doubleValue,
                speed.isFinite, speed >= 0
            else {
                throw RoutingError.invalidRequest(
                    reason: "segment \(index + 1) of the speeds lacks one of from, to and speed, numbers all")
            }
            segments.append(Segment(from: from, to: to, speed: speed))
        }
        self.init(segments)
    }
}
