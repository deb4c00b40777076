// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "a28e3fc19cd4a471";
