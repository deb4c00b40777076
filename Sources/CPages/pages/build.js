// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "a9a53580c1f417ac";
