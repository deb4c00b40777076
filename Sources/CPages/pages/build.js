// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "2273588844b3869a";
