/// A rectangle of an interface that nobody sees: a stand-in for the interface toolkit's, which Linux does not have.
///
/// It keeps what it is told, so that code for annotations and callouts compiles and runs.
@MainActor open class UIView: NSObject {
    /// Where it lies in the view around it, in points.
    open var frame: CGRect
    open var tag = 0
    open var isHidden = false
    open var alpha: CGFloat = 1
    open var backgroundColor: UIColor?
    open var tintColor: UIColor! = .systemBlue
    open var isUserInteractionEnabled = true
    public private(set) weak var superview: UIView?
    public private(set) var subviews: [UIView] = []

    public init(frame: CGRect) {
        self.frame = frame
        super.init()
    }

    public convenience override init() { self.init(frame: .zero) }

    /// Nil: no interface is archived here.
    public required init?(coder: NSCoder) { nil }

    /// The view's own rectangle, which begins at (0, 0).
    open var bounds: CGRect {
        get { CGRect(origin: .zero, size: frame.size) }
        set { frame.size = newValue.size }
    }

    /// The middle of the frame.
    open var center: CGPoint {
        get { CGPoint(x: frame.midX, y: frame.midY) }
        set { frame.origin = CGPoint(x: newValue.x - frame.width / 2, y: newValue.y - frame.height / 2) }
    }

    open func addSubview(_ view: UIView) {
        view.removeFromSuperview()
        view.superview = self
        subviews.append(view)
    }

    open func removeFromSuperview() {
        superview?.subviews.removeAll { $0 === self }
        superview = nil
    }

    /// The first view with that tag among this one and those inside.
    open func viewWithTag(_ tag: Int) -> UIView? {
        if self.tag == tag { return self }
        for view in subviews {
            if let found = view.viewWithTag(tag) { return found }
        }
        return nil
    }
}

/// A view that can be tapped.
@MainActor open class UIControl: UIView {
    /// The states that a control can have a look for.
    public struct State: OptionSet, Sendable, Hashable {
        public let rawValue: UInt

        public init(rawValue: UInt) { self.rawValue = rawValue }

        public static let normal: State = []
        public static let highlighted = State(rawValue: 1)
        public static let disabled = State(rawValue: 2)
        public static let selected = State(rawValue: 4)
    }

    open var isEnabled = true
    open var isSelected = false
}

/// A control with a title and a picture.
@MainActor open class UIButton: UIControl {
    public enum ButtonType: Int, Sendable {
        case custom = 0
        case system = 1
        case detailDisclosure = 2
        case infoLight = 3
        case infoDark = 4
        case contactAdd = 5
        case close = 7
    }

    public private(set) var buttonType = ButtonType.custom
    private var titles: [UIControl.State: String] = [:]
    private var images: [UIControl.State: UIImage] = [:]

    public convenience init(type buttonType: ButtonType) {
        self.init(frame: CGRect(x: 0, y: 0, width: 32, height: 32))
        self.buttonType = buttonType
    }

    open func setTitle(_ title: String?, for state: UIControl.State) { titles[state] = title }
    /// The title for a state; that of `normal` where it has none.
    open func title(for state: UIControl.State) -> String? { titles[state] ?? titles[.normal] }
    open var currentTitle: String? { title(for: .normal) }

    open func setImage(_ image: UIImage?, for state: UIControl.State) { images[state] = image }
    /// The picture for a state; that of `normal` where it has none.
    open func image(for state: UIControl.State) -> UIImage? { images[state] ?? images[.normal] }
}
