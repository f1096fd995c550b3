import Foundation

/// Where the data files that the product carries are found: lexicons, country facts, sources of the built-in atlases.
public enum GazetteerData {
}
