// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "f80cfb1ef94b31fe";
