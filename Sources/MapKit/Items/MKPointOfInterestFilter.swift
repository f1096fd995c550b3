/// Which kinds of places are shown.
open class MKPointOfInterestFilter: NSObject, NSCopying, @unchecked Sendable {
    /// Every place, those of no known kind too.
    public static let includingAll = MKPointOfInterestFilter(excluding: [])
    /// No place at all.
    public static let excludingAll = MKPointOfInterestFilter(including: [])

    private let categories: Set<MKPointOfInterestCategory>
    private let isIncluding: Bool

    /// These kinds and no others.
    public init(including categories: [MKPointOfInterestCategory]) {
        self.categories = Set(categories)
        isIncluding = true
    }

    /// All but these kinds.
    public init(excluding categories: [MKPointOfInterestCategory]) {
        self.categories = Set(categories)
        isIncluding = false
    }

    open func includes(_ category: MKPointOfInterestCategory) -> Bool {
        categories.contains(category) == isIncluding
    }

    open func excludes(_ category: MKPointOfInterestCategory) -> Bool { !includes(category) }

    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// Whether a place is shown that may be of no known kind.
    final func shows(_ category: MKPointOfInterestCategory?) -> Bool {
        category.map { includes($0) } ?? !isIncluding
    }

    final var isIncludingAll: Bool { !isIncluding && categories.isEmpty }
}
