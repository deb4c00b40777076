// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "fecf19a99bb3204c";
