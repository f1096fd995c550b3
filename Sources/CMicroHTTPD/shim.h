#pragma once
#include <sys/types.h>
#include <sys/socket.h>
#include <stdint.h>
#include <microhttpd.h>

// MHD_start_daemon is variadic, which Swift cannot call: the options come in as an array instead.
static inline struct MHD_Daemon *sx_mhd_start(
    unsigned flags, uint16_t port, unsigned threads, unsigned timeout_seconds, unsigned connection_limit,
    size_t connection_memory, int listen_fd, MHD_AccessHandlerCallback handler, void *context,
    void *(*begun)(void *, const char *, struct MHD_Connection *), MHD_RequestCompletedCallback completed) {
    struct MHD_OptionItem options[9];
    int n = 0;
    if (threads > 1) options[n++] = (struct MHD_OptionItem){MHD_OPTION_THREAD_POOL_SIZE, threads, 0};
    options[n++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_TIMEOUT, timeout_seconds, 0};
    options[n++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_LIMIT, connection_limit, 0};
    options[n++] = (struct MHD_OptionItem){MHD_OPTION_CONNECTION_MEMORY_LIMIT, (intptr_t)connection_memory, 0};
    if (listen_fd >= 0) options[n++] = (struct MHD_OptionItem){MHD_OPTION_LISTEN_SOCKET, listen_fd, 0};
    if (begun) options[n++] = (struct MHD_OptionItem){MHD_OPTION_URI_LOG_CALLBACK, (intptr_t)begun, context};
    if (completed) options[n++] = (struct MHD_OptionItem){MHD_OPTION_NOTIFY_COMPLETED, (intptr_t)completed, context};
    options[n] = (struct MHD_OptionItem){MHD_OPTION_END, 0, 0};
    return MHD_start_daemon(flags, port, 0, 0, handler, context, MHD_OPTION_ARRAY, options, MHD_OPTION_END);
}

// The number of open connections; MHD_get_daemon_info is variadic as well.
static inline unsigned sx_mhd_connections(struct MHD_Daemon *daemon) {
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);
    return info ? info->num_connections : 0;
}

// Ends a request's target with the mark of its query. The library calls with its own buffer, before it reads the query: it would
// keep every parameter in a connection's fixed memory, and stop answering where thousands fill that.
static inline void sx_cut_query(const char *target) {
    for (char *c = (char *)target; *c; c++) {
        if (*c == '?') {
            c[1] = 0;
            return;
        }
    }
}
