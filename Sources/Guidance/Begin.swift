// Removed when the module's first file comes.
