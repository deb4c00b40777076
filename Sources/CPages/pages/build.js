// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "5b756d50b59c84e4";
