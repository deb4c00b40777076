// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "2409237b159cd435";
