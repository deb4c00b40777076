// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "3545c037f282a7e3";
