#pragma once
#include <cairo/cairo.h>
#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>
#include <pango/pangocairo.h>

// GObject's casts are macros, and its unref takes any pointer.
static inline void sx_unref(void *object) { g_object_unref(object); }
static inline void *sx_ref(void *object) { return g_object_ref(object); }

// The parts of a cairo_path_data_t, which is a union.
static inline int sx_path_type(const cairo_path_t *path, int index) { return path->data[index].header.type; }
static inline int sx_path_length(const cairo_path_t *path, int index) { return path->data[index].header.length; }
static inline double sx_path_x(const cairo_path_t *path, int index) { return path->data[index].point.x; }
static inline double sx_path_y(const cairo_path_t *path, int index) { return path->data[index].point.y; }

// The font map that draws through Cairo: a PangoFontMap, whose type Cairo's half names otherwise.
static inline PangoContext *sx_context_new(PangoFontMap *map) { return pango_font_map_create_context(map); }
static inline cairo_scaled_font_t *sx_scaled_font(PangoFont *font) {
    return pango_cairo_font_get_scaled_font((PangoCairoFont *)font);
}
static inline unsigned sx_glyph_is_unknown(PangoGlyph glyph) { return (glyph & PANGO_GLYPH_UNKNOWN_FLAG) != 0; }
static inline unsigned sx_glyph_is_empty(PangoGlyph glyph) { return glyph == PANGO_GLYPH_EMPTY; }
static inline const char *sx_font_family(PangoFont *font) {
    PangoFontDescription *description = pango_font_describe(font);
    const char *family = g_intern_string(pango_font_description_get_family(description));
    pango_font_description_free(description);
    return family;
}
