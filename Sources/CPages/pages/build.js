// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "08ea46e6049c2c9f";
