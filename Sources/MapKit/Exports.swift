// Whoever imports MapKit has CoreLocation and Foundation with it, as on the platform.
@_exported public import CoreLocation
@_exported public import Foundation
