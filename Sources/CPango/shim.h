#pragma once
#include <stdint.h>
#include <cairo/cairo.h>
#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>

// The part of Pango that shaping text takes, declared here: Pango's own headers want GLib's, whose compiler flags SwiftPM
// does not pass on from pkg-config. The layouts are those of Pango's stable interface (1.44 and later).
typedef struct _PangoFontMap PangoFontMap;
typedef struct _PangoContext PangoContext;
typedef struct _PangoLayout PangoLayout;
typedef struct _PangoLayoutIter PangoLayoutIter;
typedef struct _PangoFontDescription PangoFontDescription;
typedef struct _PangoFont PangoFont;

typedef struct {
    uint32_t glyph;
    struct {
        int32_t width, x_offset, y_offset;
    } geometry;
    uint32_t attributes;
} PangoGlyphInfo;

typedef struct {
    int num_glyphs;
    PangoGlyphInfo *glyphs;
    int *log_clusters;
    int space;
} PangoGlyphString;

typedef struct {
    int offset, length, num_chars;
    struct {
        void *shape_engine, *lang_engine;
        PangoFont *font;
        uint8_t level, gravity, flags, script;
        void *language, *extra_attrs;
    } analysis;
} PangoItem;

typedef struct {
    PangoItem *item;
    PangoGlyphString *glyphs;
} PangoGlyphItem;

// Units of Pango in a pixel; the glyph of what is not drawn; the mark of a letter that no font has.
enum { SX_PANGO_SCALE = 1024, SX_GLYPH_EMPTY = 0x0FFFFFFF, SX_GLYPH_UNKNOWN_FLAG = 0x10000000 };
enum { SX_WEIGHT_BOLD = 700, SX_STYLE_ITALIC = 2 };

PangoFontMap *pango_cairo_font_map_new(void);
PangoContext *pango_font_map_create_context(PangoFontMap *map);
void pango_cairo_context_set_font_options(PangoContext *context, const cairo_font_options_t *options);
void pango_context_set_round_glyph_positions(PangoContext *context, int round);
cairo_scaled_font_t *pango_cairo_font_get_scaled_font(PangoFont *font);

PangoFontDescription *pango_font_description_new(void);
void pango_font_description_free(PangoFontDescription *description);
void pango_font_description_set_family(PangoFontDescription *description, const char *family);
void pango_font_description_set_absolute_size(PangoFontDescription *description, double size);
void pango_font_description_set_weight(PangoFontDescription *description, int weight);
void pango_font_description_set_style(PangoFontDescription *description, int style);

PangoLayout *pango_layout_new(PangoContext *context);
void pango_layout_set_single_paragraph_mode(PangoLayout *layout, int setting);
void pango_layout_set_font_description(PangoLayout *layout, const PangoFontDescription *description);
void pango_layout_set_text(PangoLayout *layout, const char *text, int length);
PangoLayoutIter *pango_layout_get_iter(PangoLayout *layout);
void pango_layout_iter_free(PangoLayoutIter *iterator);
PangoGlyphItem *pango_layout_iter_get_run_readonly(PangoLayoutIter *iterator);
int pango_layout_iter_next_run(PangoLayoutIter *iterator);

void g_object_unref(void *object);

// The parts of a cairo_path_data_t, which is a union.
static inline int sx_path_type(const cairo_path_t *path, int index) { return path->data[index].header.type; }
static inline int sx_path_length(const cairo_path_t *path, int index) { return path->data[index].header.length; }
static inline double sx_path_x(const cairo_path_t *path, int index) { return path->data[index].point.x; }
static inline double sx_path_y(const cairo_path_t *path, int index) { return path->data[index].point.y; }
