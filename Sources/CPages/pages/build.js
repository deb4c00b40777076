// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "87dfeacd7b97f0aa";
