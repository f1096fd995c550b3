/// What stands for an annotation on a map view.
///
/// It is drawn as a dot, an `MKPinAnnotationView` as a pin; its callout shows the annotation's title and subtitle.
@MainActor open class MKAnnotationView: UIView {
    open var annotation: (any MKAnnotation)?
    public let reuseIdentifier: String?
    /// Whether a tap opens a bubble with title and subtitle.
    open var canShowCallout = false
    open var isDraggable = false
    open var isEnabled = true
    open var isSelected = false
    open var leftCalloutAccessoryView: UIView?
    open var rightCalloutAccessoryView: UIView?
    open var detailCalloutAccessoryView: UIView?
    /// Whether the map made it, since the delegate had none.
    var isStandard = false

    public init(annotation: (any MKAnnotation)?, reuseIdentifier: String?) {
        self.annotation = annotation
        self.reuseIdentifier = reuseIdentifier
        super.init(frame: CGRect(x: 0, y: 0, width: 32, height: 32))
    }

    public required init?(coder: NSCoder) { nil }

    /// Called before the view is used for another annotation.
    open func prepareForReuse() {
        isSelected = false
        annotation = nil
    }

    open func setSelected(_ selected: Bool, animated: Bool) { isSelected = selected }
}

/// A pin.
@MainActor open class MKPinAnnotationView: MKAnnotationView {
    /// The colour of its head; red where it is nil.
    open var pinTintColor: UIColor! = redPinColor()
    /// Kept; nothing moves here.
    open var animatesDrop = false

    open class func redPinColor() -> UIColor { UIColor(red: 0.86, green: 0.20, blue: 0.18, alpha: 1) }
    open class func greenPinColor() -> UIColor { UIColor(red: 0.20, green: 0.62, blue: 0.28, alpha: 1) }
    open class func purplePinColor() -> UIColor { UIColor(red: 0.53, green: 0.28, blue: 0.76, alpha: 1) }
}
