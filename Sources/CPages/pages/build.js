// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "6114a037e0387065";
