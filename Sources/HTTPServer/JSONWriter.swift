import Sextant

/// The writer of JSON bodies, the same that the facade prints GeoJSON with.
public typealias JSONWriter = Sextant.JSONWriter
