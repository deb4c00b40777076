// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "a5257aee83f90b2a";
