// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "b3f4d8a4be5851f3";
