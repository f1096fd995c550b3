// A thin face over libgps: its state is large and full of unions, so Swift sees an opaque pointer and one small report.
#pragma once
#include <fcntl.h>
#include <gps.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/select.h>
#include <time.h>
#include <unistd.h>

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

/// libgps writes to a connection that gpsd may have closed, which by itself ends the program: while it works, this thread
/// is not told of a broken pipe.
struct sx_gps_calm {
    sigset_t before;
    int was_pending;
};

static inline struct sx_gps_calm sx_gps_calm_begin(void) {
    struct sx_gps_calm calm;
    sigset_t pipe, pending;
    sigemptyset(&pipe);
    sigaddset(&pipe, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &pipe, &calm.before);
    sigpending(&pending);
    calm.was_pending = sigismember(&pending, SIGPIPE);
    return calm;
}

static inline void sx_gps_calm_end(struct sx_gps_calm calm) {
    if (!calm.was_pending) {
        // Take away what libgps's own writes have caused, and only that.
        sigset_t pipe;
        struct timespec now = {0, 0};
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        while (sigtimedwait(&pipe, NULL, &now) == SIGPIPE) {}
    }
    pthread_sigmask(SIG_SETMASK, &calm.before, NULL);
}

/// libgps waits with select, which ends the program where the number of a file is too high for it: a program that has many
/// files open gets the connection under the lowest free number.
static inline int sx_gps_can_be_waited_for(struct gps_data_t *gps) {
    int file = (int)gps->gps_fd;
    if (file < FD_SETSIZE) return 1;
    int lower = fcntl(file, F_DUPFD_CLOEXEC, 3);
    if (lower < 0) return 0;
    close(file);
    gps->gps_fd = lower;
    return lower < FD_SETSIZE;
}

/// Connects and asks for reports; NULL where nobody answers.
static inline struct gps_data_t *sx_gps_open(const char *host, const char *port) {
    struct gps_data_t *gps = (struct gps_data_t *)calloc(1, sizeof *gps);
    if (!gps) return NULL;
    struct sx_gps_calm calm = sx_gps_calm_begin();
    if (gps_open(host, port, gps) != 0) {
        free(gps);
        gps = NULL;
    } else if (!sx_gps_can_be_waited_for(gps)) {
        gps_close(gps);
        free(gps);
        gps = NULL;
    } else {
        gps_stream(gps, WATCH_ENABLE | WATCH_JSON, NULL);
    }
    sx_gps_calm_end(calm);
    return gps;
}

static inline void sx_gps_close(struct gps_data_t *gps) {
    struct sx_gps_calm calm = sx_gps_calm_begin();
    gps_stream(gps, WATCH_DISABLE, NULL);
    gps_close(gps);
    sx_gps_calm_end(calm);
    free(gps);
}

/// Waits for one message. 1: `report` is filled; 0: none came in time, or one of no interest; -1: the connection ended.
static inline int sx_gps_next(struct gps_data_t *gps, int timeout_us, struct sx_gps_report *report) {
    struct sx_gps_calm calm = sx_gps_calm_begin();
    int waiting = gps_waiting(gps, timeout_us);
    int count = waiting ? gps_read(gps, NULL, 0) : 0;
    sx_gps_calm_end(calm);
    if (count < 0) return -1;
    if (!waiting) return 0;
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
