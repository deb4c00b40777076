// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "2bd9bb148ac44c23";
