// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "9ef55d0fe6dea631";
