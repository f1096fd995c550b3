// Programs written for CoreLocation rely on it for Date, URL and the like.
@_exported import Foundation
