#pragma once
#include <stddef.h>
#include <stdint.h>

// A thin C face over libosmium: several OpenStreetMap files read as one stream, node places filled into ways, areas
// assembled from closed ways and from multipolygon and boundary relations.

#ifdef __cplusplus
extern "C" {
#endif

// One input: a file, or bytes in memory with the name of their format ("osm", "pbf", "opl").
typedef struct {
    const char *path;  // NULL for memory
    const char *bytes;
    size_t size;
    const char *format;
} sx_osm_input;

// A key and its value, alive during the callback.
typedef struct {
    const char *key;
    const char *value;
} sx_osm_tag;

typedef struct {
    int64_t id;
    uint8_t type;  // 1 node, 2 way, 3 relation
    const char *role;
} sx_osm_member;

// A place in units of 1e-7 degrees; both INT32_MAX where it is not known.
typedef struct {
    int32_t x;
    int32_t y;
} sx_osm_location;

// Callbacks return 0 to go on; anything else stops the reading. NULL where nothing of that kind is wanted.
typedef struct {
    void *context;
    int (*node)(void *context, int64_t id, sx_osm_location location, const sx_osm_tag *tags, size_t tag_count);
    int (*way)(void *context, int64_t id, const int64_t *nodes, const sx_osm_location *locations, size_t count,
               const sx_osm_tag *tags, size_t tag_count);
    int (*relation)(void *context, int64_t id, const sx_osm_member *members, size_t count, const sx_osm_tag *tags,
                    size_t tag_count);
    // Rings follow each other in `points`; each outer ring is followed by its inner rings. `id` is that of the way or
    // relation.
    int (*area)(void *context, int64_t id, int from_way, const sx_osm_location *points, const uint32_t *ring_sizes,
                const uint8_t *ring_is_outer, size_t ring_count, const sx_osm_tag *tags, size_t tag_count);
    int (*progress)(void *context, uint64_t bytes_done, uint64_t bytes_total);
} sx_osm_sink;

enum { SX_OSM_OK = 0, SX_OSM_STOPPED = 1, SX_OSM_UNREADABLE = 2, SX_OSM_NO_SUCH_FILE = 3, SX_OSM_NO_MEMORY = 4 };

typedef struct {
    uint64_t nodes, ways, relations, areas;
    uint64_t duplicates;            // objects that stood in several inputs; the newest version was taken
    uint64_t ways_without_node;     // ways that refer to a node which the files lack
    uint64_t missing_nodes;         // such references
    uint64_t broken_areas;          // rings that do not close, cross, ...
    uint64_t incomplete_relations;  // multipolygons and boundaries with members that the files lack
    uint64_t sorted_in_memory;      // inputs that were not in the order of the format
    int64_t newest_timestamp;       // seconds since 1970 of the newest object, 0 where unknown
    char message[512];              // what went wrong, and where
} sx_osm_report;

// The box that the head of an input tells, in ten-millionths of a degree: west, south, east, north. Returns 0 where it
// tells none, or where the input cannot be read.
int sx_osm_box(const sx_osm_input *input, int32_t box[4]);

// Reads relations alone.
int sx_osm_read_relations(const sx_osm_input *inputs, size_t count, const sx_osm_sink *sink, sx_osm_report *report);

// Reads nodes that have tags, ways with the places of their nodes, and areas of objects that have one of `area_keys`.
int sx_osm_read_objects(const sx_osm_input *inputs, size_t count, const char *const *area_keys, size_t area_key_count,
                        const sx_osm_sink *sink, sx_osm_report *report);

#ifdef __cplusplus
}
#endif
