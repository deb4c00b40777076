// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "9f6cd45c9fc87075";
