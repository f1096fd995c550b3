/// Object numbers of OpenStreetMap with the index of their feature: 12 bytes each where they come in rising order, as they
/// do from a sorted file; a dictionary's entry for one that comes late. Of equal numbers the one added last counts.
struct NumberTable {
    private var numbers: [Int64] = []
    private var features: [Int32] = []
    private var late: [Int64: Int32] = [:]

    /// The feature of an object.
    subscript(number: Int64) -> Int32? {
        if let feature = late[number] { return feature }
        var low = 0
        var high = numbers.count
        while low < high {
            let middle = (low + high) / 2
            if numbers[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low < numbers.count && numbers[low] == number ? features[low] : nil
    }

    mutating func set(_ feature: Int32, for number: Int64) {
        if numbers.last.map({ $0 < number }) ?? true {
            numbers.append(number)
            features.append(feature)
        } else {
            late[number] = feature
        }
    }
}
