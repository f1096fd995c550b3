#define OSMIUM_WITH_LZ4 1

// libosmium sorts with std::stable_sort, whose temporary buffer clang calls deprecated from C++17 on.
#pragma clang diagnostic ignored "-Wdeprecated-declarations"

#include "COsmium.h"

#include <cstring>
#include <functional>
#include <memory>
#include <new>
#include <string>
#include <system_error>
#include <tuple>
#include <vector>

#include <osmium/area/assembler.hpp>
#include <osmium/area/multipolygon_manager.hpp>
#include <osmium/area/problem_reporter.hpp>
#include <osmium/handler/node_locations_for_ways.hpp>
#include <osmium/index/map/flex_mem.hpp>
#include <osmium/io/any_input.hpp>
#include <osmium/object_pointer_collection.hpp>
#include <osmium/osm/object_comparisons.hpp>
#include <osmium/visitor.hpp>

namespace {

using Index = osmium::index::map::FlexMem<osmium::unsigned_object_id_type, osmium::Location>;
using Locations = osmium::handler::NodeLocationsForWays<Index, Index>;
using Manager = osmium::area::MultipolygonManager<osmium::area::Assembler>;
using Bits = osmium::osm_entity_bits::type;

struct Stopped {};

struct Unreadable {
    std::string message;
    int code;
};

osmium::io::File file_of(const sx_osm_input &input) {
    return input.path ? osmium::io::File{input.path} : osmium::io::File{input.bytes, input.size, input.format};
}

Unreadable failure(const sx_osm_input &input, const std::exception &e) {
    Unreadable problem{std::string{input.path ? input.path : "data in memory"} + ": " + e.what(), SX_OSM_UNREADABLE};
    if (const auto *system = dynamic_cast<const std::system_error *>(&e)) {
        if (system->code() == std::errc::no_such_file_or_directory) problem.code = SX_OSM_NO_SUCH_FILE;
    }
    return problem;
}

// Objects of one input, in the order of the file or, where that is not the order of the format, sorted in memory.
class Source {
public:
    Source(const sx_osm_input &input, Bits kinds, bool sort) : m_input(input), m_in_memory(sort) {
        try {
            m_reader.reset(new osmium::io::Reader{file_of(input), kinds});
            m_total = m_reader->file_size();
            if (m_reader->header().has_multiple_object_versions()) {
                throw osmium::io_error{"holds the history of objects; an extract of one moment is needed"};
            }
            if (sort) {
                while (osmium::memory::Buffer buffer = m_reader->read()) {
                    osmium::apply(buffer, m_sorted);
                    m_kept.push_back(std::move(buffer));
                }
                m_reader->close();
                m_sorted.sort(osmium::object_order_type_id_version{});
            }
        } catch (const std::bad_alloc &) {
            throw;
        } catch (const std::exception &e) {
            throw failure(input, e);
        }
        advance();
    }

    osmium::OSMObject *current() { return m_current; }

    void advance() {
        try {
            do {
                m_current = next();
            } while (m_current && !m_current->visible());
        } catch (const std::bad_alloc &) {
            throw;
        } catch (const std::exception &e) {
            throw failure(m_input, e);
        }
    }

    uint64_t done() const { return m_in_memory || !m_current ? m_total : m_reader->offset(); }
    uint64_t total() const { return m_total; }

private:
    osmium::OSMObject *next() {
        if (m_in_memory) return m_next < static_cast<ptrdiff_t>(m_sorted.size()) ? *(m_sorted.ptr_begin() + m_next++) : nullptr;
        while (m_iterator == m_end) {
            m_buffer = m_reader->read();
            if (!m_buffer) {
                m_reader->close();
                return nullptr;
            }
            m_iterator = m_buffer.begin<osmium::OSMObject>();
            m_end = m_buffer.end<osmium::OSMObject>();
        }
        osmium::OSMObject *object = &*m_iterator;
        ++m_iterator;
        return object;
    }

    const sx_osm_input &m_input;
    std::unique_ptr<osmium::io::Reader> m_reader;
    osmium::memory::Buffer m_buffer;
    osmium::memory::Buffer::t_iterator<osmium::OSMObject> m_iterator, m_end;
    osmium::OSMObject *m_current = nullptr;
    std::vector<osmium::memory::Buffer> m_kept;
    osmium::ObjectPointerCollection m_sorted;
    ptrdiff_t m_next = 0;
    bool m_in_memory;
    uint64_t m_total = 0;
};

bool says_sorted(const sx_osm_input &input) {
    try {
        osmium::io::Reader reader{file_of(input), osmium::osm_entity_bits::nothing};
        const bool says = reader.header().get("sorting") == "Type_then_ID";
        reader.close();
        return says;
    } catch (const std::exception &) {
        return false;  // the reading proper tells the fault
    }
}

// Whether the objects of a file come in the order type, id, version.
bool is_sorted(const sx_osm_input &input) {
    Source source{input, osmium::osm_entity_bits::nwr, false};
    using Place = std::tuple<int, bool, uint64_t, uint64_t>;
    Place last{0, false, 0, 0};
    for (; source.current(); source.advance()) {
        const auto &object = *source.current();
        const Place place{static_cast<int>(object.type()), object.id() > 0, object.positive_id(), object.version()};
        if (place < last) return false;
        last = place;
    }
    return true;
}

// Gives every object of all inputs once, in the order type and id, the newest version of each. The object dies with the
// callback.
void merge(const sx_osm_input *inputs, size_t count, const std::vector<bool> &unsorted, Bits kinds,
           sx_osm_report &report, const sx_osm_sink *progress, const std::function<void(osmium::OSMObject &)> &each) {
    std::vector<std::unique_ptr<Source>> sources;
    uint64_t total = 0;
    for (size_t i = 0; i < count; ++i) {
        sources.emplace_back(new Source{inputs[i], kinds, unsorted[i]});
        total += sources.back()->total();
    }
    auto tell = [&] {
        if (!progress || !progress->progress) return;
        uint64_t done = 0;
        for (const auto &source : sources) done += source->done();
        if (progress->progress(progress->context, done, total)) throw Stopped{};
    };
    const osmium::object_order_type_id_version before{};
    osmium::memory::Buffer held{4096, osmium::memory::Buffer::auto_grow::yes};
    uint64_t seen = 0;
    for (;;) {
        Source *least = nullptr;
        for (auto &source : sources) {
            if (!source->current()) continue;
            if (!least || before(*source->current(), *least->current())) least = source.get();
        }
        if (!least) break;
        const osmium::OSMObject &object = *least->current();
        if (held.committed() > 0) {
            auto &waiting = held.get<osmium::OSMObject>(0);
            if (waiting.type() == object.type() && waiting.id() == object.id()) {
                ++report.duplicates;
            } else {
                each(waiting);
            }
            held.clear();
        }
        held.add_item(object);
        held.commit();
        least->advance();
        if ((++seen & 0x3fff) == 0) tell();
    }
    if (held.committed() > 0) each(held.get<osmium::OSMObject>(0));
    tell();
}

std::vector<bool> unsorted_inputs(const sx_osm_input *inputs, size_t count, sx_osm_report &report) {
    std::vector<bool> unsorted(count);
    for (size_t i = 0; i < count; ++i) {
        unsorted[i] = !says_sorted(inputs[i]) && !is_sorted(inputs[i]);
        report.sorted_in_memory += unsorted[i];
    }
    return unsorted;
}

void list_tags(const osmium::OSMObject &object, std::vector<sx_osm_tag> &tags) {
    tags.clear();
    for (const auto &tag : object.tags()) tags.push_back({tag.key(), tag.value()});
}

sx_osm_location plain(const osmium::Location &location) {
    return location.valid() ? sx_osm_location{location.x(), location.y()} : sx_osm_location{INT32_MAX, INT32_MAX};
}

void checked(int stop) {
    if (stop) throw Stopped{};
}

// Counts the areas in which libosmium finds a fault.
class Problems : public osmium::area::ProblemReporter {
public:
    void report_intersection(osmium::object_id_type, osmium::Location, osmium::Location, osmium::object_id_type,
                             osmium::Location, osmium::Location, osmium::Location) override {
        note();
    }
    void report_ring_not_closed(const osmium::NodeRef &, const osmium::Way *) override { note(); }
    uint64_t areas() const { return m_areas; }

private:
    void note() {
        if (m_object_id != m_last || m_areas == 0) ++m_areas;
        m_last = m_object_id;
    }
    osmium::object_id_type m_last = 0;
    uint64_t m_areas = 0;
};

int guarded(sx_osm_report *report, const std::function<void()> &body) {
    *report = sx_osm_report{};
    auto say = [&](const char *text, int code) {
        std::strncpy(report->message, text, sizeof(report->message) - 1);
        return code;
    };
    try {
        body();
        return SX_OSM_OK;
    } catch (const Stopped &) {
        return say("stopped", SX_OSM_STOPPED);
    } catch (const Unreadable &e) {
        return say(e.message.c_str(), e.code);
    } catch (const std::bad_alloc &) {
        return say("not enough memory", SX_OSM_NO_MEMORY);
    } catch (const std::exception &e) {
        return say(e.what(), SX_OSM_UNREADABLE);
    }
}

}  // namespace

int sx_osm_box(const sx_osm_input *input, int32_t box[4]) {
    try {
        osmium::io::Reader reader{file_of(*input), osmium::osm_entity_bits::nothing};
        const osmium::Box joined = reader.header().joined_boxes();
        reader.close();
        if (!joined.valid()) return 0;
        box[0] = joined.bottom_left().x();
        box[1] = joined.bottom_left().y();
        box[2] = joined.top_right().x();
        box[3] = joined.top_right().y();
        return 1;
    } catch (const std::exception &) {
        return 0;
    }
}

int sx_osm_read_relations(const sx_osm_input *inputs, size_t count, const sx_osm_sink *sink, sx_osm_report *report) {
    return guarded(report, [&] {
        // One input gives each relation once in any order; only a merge of several needs them sorted.
        const std::vector<bool> unsorted = count > 1 ? unsorted_inputs(inputs, count, *report) : std::vector<bool>(count);
        std::vector<sx_osm_tag> tags;
        std::vector<sx_osm_member> members;
        merge(inputs, count, unsorted, osmium::osm_entity_bits::relation, *report, sink, [&](osmium::OSMObject &object) {
            if (object.type() != osmium::item_type::relation) return;
            const auto &relation = static_cast<const osmium::Relation &>(object);
            ++report->relations;
            members.clear();
            for (const auto &member : relation.members()) {
                const uint8_t type = member.type() == osmium::item_type::node  ? 1
                                     : member.type() == osmium::item_type::way ? 2
                                                                               : 3;
                members.push_back({member.ref(), type, member.role()});
            }
            list_tags(relation, tags);
            if (sink->relation) {
                checked(sink->relation(sink->context, relation.id(), members.data(), members.size(), tags.data(),
                                       tags.size()));
            }
        });
    });
}

int sx_osm_read_objects(const sx_osm_input *inputs, size_t count, const char *const *area_keys, size_t area_key_count,
                        const sx_osm_sink *sink, sx_osm_report *report) {
    return guarded(report, [&] {
        const std::vector<bool> unsorted = unsorted_inputs(inputs, count, *report);
        Problems problems;
        osmium::area::Assembler::config_type config;
        config.problem_reporter = &problems;
        config.create_empty_areas = false;
        osmium::TagsFilter filter{false};
        for (size_t i = 0; i < area_key_count; ++i) filter.add_rule(true, area_keys[i]);
        Manager manager{config, filter};
        merge(inputs, count, unsorted, osmium::osm_entity_bits::relation, *report, nullptr, [&](osmium::OSMObject &object) {
            if (object.type() == osmium::item_type::relation) manager.relation(static_cast<osmium::Relation &>(object));
        });
        manager.prepare_for_lookup();
        report->duplicates = 0;

        std::vector<sx_osm_tag> tags;
        std::vector<int64_t> nodes;
        std::vector<sx_osm_location> points;
        std::vector<uint32_t> ring_sizes;
        std::vector<uint8_t> ring_is_outer;
        auto give_area = [&](const osmium::Area &area) {
            points.clear();
            ring_sizes.clear();
            ring_is_outer.clear();
            auto give_ring = [&](const osmium::NodeRefList &ring, bool outer) {
                for (const auto &ref : ring) points.push_back(plain(ref.location()));
                ring_sizes.push_back(static_cast<uint32_t>(ring.size()));
                ring_is_outer.push_back(outer);
            };
            for (const auto &outer : area.outer_rings()) {
                give_ring(outer, true);
                for (const auto &inner : area.inner_rings(outer)) give_ring(inner, false);
            }
            ++report->areas;
            list_tags(area, tags);
            if (sink->area) {
                checked(sink->area(sink->context, area.orig_id(), area.from_way(), points.data(), ring_sizes.data(),
                                   ring_is_outer.data(), ring_sizes.size(), tags.data(), tags.size()));
            }
        };

        Index positive, negative;
        Locations locations{positive, negative};
        locations.ignore_errors();
        auto &areas = manager.handler([&](osmium::memory::Buffer &&buffer) {
            for (const auto &area : buffer.select<osmium::Area>()) give_area(area);
        });
        merge(inputs, count, unsorted, osmium::osm_entity_bits::nwr, *report, sink, [&](osmium::OSMObject &object) {
            const int64_t seconds = object.timestamp().seconds_since_epoch();
            if (seconds > report->newest_timestamp) report->newest_timestamp = seconds;
            if (object.type() == osmium::item_type::node) {
                auto &node = static_cast<osmium::Node &>(object);
                ++report->nodes;
                if (!node.location().valid()) return;
                locations.node(node);
                if (!sink->node || node.tags().empty()) return;
                list_tags(node, tags);
                checked(sink->node(sink->context, node.id(), plain(node.location()), tags.data(), tags.size()));
            } else if (object.type() == osmium::item_type::way) {
                auto &way = static_cast<osmium::Way &>(object);
                ++report->ways;
                locations.way(way);
                nodes.clear();
                points.clear();
                uint64_t missing = 0;
                for (const auto &ref : way.nodes()) {
                    nodes.push_back(ref.ref());
                    points.push_back(plain(ref.location()));
                    missing += !ref.location().valid();
                }
                report->missing_nodes += missing;
                report->ways_without_node += missing > 0;
                if (sink->way) {
                    list_tags(way, tags);
                    checked(sink->way(sink->context, way.id(), nodes.data(), points.data(), nodes.size(), tags.data(),
                                      tags.size()));
                }
                areas.way(way);
            } else {
                ++report->relations;
            }
        });
        const osmium::memory::Buffer rest = manager.read();
        if (rest) {
            for (const auto &area : rest.select<osmium::Area>()) give_area(area);
        }
        manager.for_each_incomplete_relation(
            [&](const osmium::relations::RelationHandle &) { ++report->incomplete_relations; });
        report->broken_areas = problems.areas();
    });
}
