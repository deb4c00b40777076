// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "98e3f8e4753e2728";
