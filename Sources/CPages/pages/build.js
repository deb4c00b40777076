// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "76f958ef80b7ae13";
