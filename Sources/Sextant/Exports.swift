// Whoever imports Sextant can name the questions and answers of the modules behind it.
@_exported import Gazetteer
@_exported import Geometry
@_exported import Guidance
@_exported import OpenStreetMap
@_exported import Routing
