// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "0d51e8689a427b57";
