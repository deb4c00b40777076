// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "8b3963f181b8d9a6";
