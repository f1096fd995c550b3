internal import Sextant
internal import Locking

/// The application that maps are handed over to.
///
///     final class Recorder: MKMapOpener {
///         func open(_ link: URL, items: [MKMapItem]) -> Bool { print(link); return true }
///     }
///     MKMapItem.opener = Recorder()
public protocol MKMapOpener: Sendable {
    /// Shows what a map link says; false where that is not possible. Must neither wait nor throw.
    ///
    /// - Parameters:
    ///   - link: a link in the form of the platform's maps: a place or several, or a way. It may be read with
    ///     `sextant open`.
    ///   - items: what was handed over.
    func open(_ link: URL, items: [MKMapItem]) -> Bool
}

private let currentOpener = Mutex<any MKMapOpener>(DesktopMapOpener())

extension MKMapItem {
    /// Where items are handed over to; the desktop, unless a program sets its own.
    public static var opener: any MKMapOpener {
        get { currentOpener.withLock { $0 } }
        set { currentOpener.withLock { $0 = newValue } }
    }

    /// Shows this item, or the way to it from the current location where the options name a mode of travel.
    ///
    /// - Returns: false where nothing could be opened.
    @discardableResult
    public func openInMaps(launchOptions: [String: Any]? = nil) -> Bool {
        Self.openMaps(with: [self], launchOptions: launchOptions)
    }

    /// The same, with the answer told once, later, on the main thread.
    public func openInMaps(launchOptions: [String: Any]? = nil, completionHandler: (@Sendable (Bool) -> Void)?) {
        Self.openMaps(with: [self], launchOptions: launchOptions, completionHandler: completionHandler)
    }

    @discardableResult
    nonisolated(nonsending) public func openInMaps(launchOptions: [String: Any]? = nil) async -> Bool {
        await Self.openMaps(with: [self], launchOptions: launchOptions)
    }

    /// Shows the items together; or, where the options name a mode of travel, the way from the first to the second, or from
    /// the current location to the only one.
    ///
    /// - Returns: false for no items, for a way through three and more, and where nothing could be opened.
    @discardableResult
    public static func openMaps(with mapItems: [MKMapItem], launchOptions: [String: Any]? = nil) -> Bool {
        handOver(mapItems, launchOptions)
    }

    /// The same, with the answer told once, later, on the main thread.
    public static func openMaps(
        with mapItems: [MKMapItem], launchOptions: [String: Any]? = nil, completionHandler: (@Sendable (Bool) -> Void)?
    ) {
        handOver(mapItems, launchOptions) { isOpen in
            if let completionHandler { Engine.deliver { completionHandler(isOpen) } }
        }
    }

    @discardableResult
    nonisolated(nonsending) public static func openMaps(with mapItems: [MKMapItem], launchOptions: [String: Any]? = nil)
        async -> Bool
    {
        await withCheckedContinuation { continuation in
            handOver(mapItems, launchOptions) { continuation.resume(returning: $0) }
        }
    }

    private static func handOver(_ items: [MKMapItem], _ options: [String: Any]?) -> Bool {
        guard let link = MapLink(to: items, options: options ?? [:]), let url = URL(string: link.text) else {
            return false
        }
        return opener.open(url, items: items)
    }

    /// The same for those who wait for the answer: the desktop's picture is drawn elsewhere.
    private static func handOver(
        _ items: [MKMapItem], _ options: [String: Any]?, then answer: @escaping @Sendable (Bool) -> Void
    ) {
        guard let desktop = opener as? DesktopMapOpener else { return answer(handOver(items, options)) }
        guard let link = MapLink(to: items, options: options ?? [:]) else { return answer(false) }
        desktop.open(link, items: items.map { ItemFacts($0) }, then: answer)
    }
}
