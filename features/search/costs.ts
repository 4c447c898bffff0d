// Microseconds at a million listings: ROW, POSTING and ENTRY were measured, the others set by trying
// (docs/decisions/003-search.md). Only their proportions matter.

/** A row read through an index. */
export const ROW = 2;
/** The words of a row compared with those asked for. */
export const CHECK = 0.4;
/** An entry of an ordered index passed by. */
export const ENTRY = 0.12;
/** A listing in a list of the inverted index. */
export const POSTING = 0.27;
/** A listing under a beginning, whose lists are gathered before they are gone through. */
export const GATHERED = 0.22;
/** One of the alternatives of a question, for each listing that is gone through. */
export const CHOICE = 0.005;
/** A list looked up in the inverted index. */
export const LEXEME = 4;
/** One of the alternatives of a word compared with a row. */
export const ALTERNATIVE = 0.06;
