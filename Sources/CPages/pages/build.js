// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "f9cd38ff52f190fb";
