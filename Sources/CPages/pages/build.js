// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "f0efd85b4f26df18";
