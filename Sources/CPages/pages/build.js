// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "07b619c5e6e23444";
