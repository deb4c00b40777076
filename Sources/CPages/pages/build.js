// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "1b4dce8ec5f0c455";
