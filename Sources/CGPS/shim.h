// A thin face over libgps: its state is large and full of unions, so Swift sees an opaque pointer and one small report.
#pragma once
#include <gps.h>
#include <math.h>
#include <stdlib.h>

/// What one message of gpsd tells. Numbers that it does not tell are NaN.
struct sx_gps_report {
    int has_fix;      // whether latitude and longitude are told
    int is_3d;        // whether the altitudes are
    int has_heading;
    double time;      // seconds since 1970
    double latitude, longitude, altitude, ellipsoidal_altitude;
    double horizontal_error, vertical_error;  // metres
    double track, track_error, speed, speed_error;
    double heading;   // degrees, true or magnetic as the compass has it
};

/// Connects and asks for reports; NULL where nobody answers.
static inline struct gps_data_t *sx_gps_open(const char *host, const char *port) {
    struct gps_data_t *gps = (struct gps_data_t *)calloc(1, sizeof *gps);
    if (!gps) return NULL;
    if (gps_open(host, port, gps) != 0) {
        free(gps);
        return NULL;
    }
    gps_stream(gps, WATCH_ENABLE | WATCH_JSON, NULL);
    return gps;
}

static inline void sx_gps_close(struct gps_data_t *gps) {
    gps_stream(gps, WATCH_DISABLE, NULL);
    gps_close(gps);
    free(gps);
}

/// Waits for one message. 1: `report` is filled; 0: none came in time, or one of no interest; -1: the connection ended.
static inline int sx_gps_next(struct gps_data_t *gps, int timeout_us, struct sx_gps_report *report) {
    if (!gps_waiting(gps, timeout_us)) return 0;
    if (gps_read(gps, NULL, 0) < 0) return -1;
    report->has_fix = (gps->set & LATLON_SET) && gps->fix.mode >= MODE_2D && isfinite(gps->fix.latitude)
        && isfinite(gps->fix.longitude);
    report->is_3d = report->has_fix && gps->fix.mode >= MODE_3D;
    report->has_heading = (gps->set & ATTITUDE_SET) && isfinite(gps->attitude.heading);
    report->time = (double)gps->fix.time.tv_sec + (double)gps->fix.time.tv_nsec / 1e9;
    report->latitude = gps->fix.latitude;
    report->longitude = gps->fix.longitude;
    report->altitude = gps->fix.altMSL;
    report->ellipsoidal_altitude = gps->fix.altHAE;
    double across = hypot(gps->fix.epx, gps->fix.epy);
    report->horizontal_error = isfinite(gps->fix.eph) ? gps->fix.eph : across;
    report->vertical_error = gps->fix.epv;
    report->track = gps->fix.track;
    report->track_error = gps->fix.epd;
    report->speed = gps->fix.speed;
    report->speed_error = gps->fix.eps;
    report->heading = report->has_heading ? gps->attitude.heading : NAN;
    return report->has_fix || report->has_heading;
}
