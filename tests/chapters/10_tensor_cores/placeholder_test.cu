// Replaced by the chapter's tests, which are written beside the exercises.
