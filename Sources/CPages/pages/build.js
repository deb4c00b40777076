// Written by tools/pages: a hash of the sources that the modules were made from.
export const BUILD = "deeb75c05c0cbe95";
