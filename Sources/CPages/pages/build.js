// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "e25d75b95bd317fe";
