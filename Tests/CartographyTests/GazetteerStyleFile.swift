import Foundation
import GazetteerData

enum GazetteerStyleFile {
    static func url() throws -> URL { try GazetteerData.url("map-style.json") }
}
