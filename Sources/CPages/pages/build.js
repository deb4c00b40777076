// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "f1baa6ec394deb50";
