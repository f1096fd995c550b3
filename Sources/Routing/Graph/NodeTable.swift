/// Numbers OpenStreetMap's node ids in the order of their first mention: a hash table with open addressing, since Swift's
/// dictionaries take four times the memory.
struct NodeTable {
    private var slots: [UInt32]
    private(set) var ids: [Int64] = []
    private var mask: Int

    init() {
        slots = [UInt32](repeating: .max, count: 1024)
        mask = 1023
    }

    private static func hash(_ id: Int64) -> Int {
        var x = UInt64(bitPattern: id)
        x ^= x >> 32
        x = x &* 0x9E37_79B9_7F4A_7C15
        x ^= x >> 29
        return Int(truncatingIfNeeded: x & 0x7FFF_FFFF_FFFF_FFFF)
    }

    /// The number of `id`, given to it now if it is new.
    mutating func insert(_ id: Int64) -> UInt32 {
        if (ids.count + 1) * 2 > slots.count { grow() }
        var slot = Self.hash(id) & mask
        while true {
            let number = slots[slot]
            if number == .max {
                let new = UInt32(ids.count)
                slots[slot] = new
                ids.append(id)
                return new
            }
            if ids[Int(number)] == id { return number }
            slot = (slot + 1) & mask
        }
    }

    /// The number of `id`; nil for an id never inserted.
    func find(_ id: Int64) -> UInt32? {
        var slot = Self.hash(id) & mask
        while slots[slot] != .max {
            if ids[Int(slots[slot])] == id { return slots[slot] }
            slot = (slot + 1) & mask
        }
        return nil
    }

    private mutating func grow() {
        mask = slots.count * 2 - 1
        slots = [UInt32](repeating: .max, count: mask + 1)
        for (number, id) in ids.enumerated() {
            var slot = Self.hash(id) & mask
            while slots[slot] != .max { slot = (slot + 1) & mask }
            slots[slot] = UInt32(number)
        }
    }
}
