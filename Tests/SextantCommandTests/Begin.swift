// Removed when the module's first test comes.
