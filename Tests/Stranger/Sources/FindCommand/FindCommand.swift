// A command that looks a place up and ends: find-command WORDS
import MapKit

@main struct FindCommand {
    static func main() {
        let request = MKLocalSearch.Request()
        request.naturalLanguageQuery = CommandLine.arguments.dropFirst().joined(separator: " ")
        MKLocalSearch(request: request).start { response, error in
            guard let item = response?.mapItems.first else {
                print(error?.localizedDescription ?? "nothing")
                exit(1)
            }
            let place = item.placemark.coordinate
            print("\(place.latitude),\(place.longitude) \(item.name ?? "")")
            exit(0)
        }
        RunLoop.main.run()
    }
}
