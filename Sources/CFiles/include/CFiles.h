#pragma once

// renameat2, which Swift's Glibc module leaves out: 0, or -1 with errno.
int sx_rename_exchange(const char *a, const char *b);
int sx_rename_noreplace(const char *from, const char *to);
