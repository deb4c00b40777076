// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "630ff5ca8e6b6124";
