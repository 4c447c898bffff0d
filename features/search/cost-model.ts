// Cost model of the planner, in microseconds at a million listings: the costs of reading a row, a posting and an
// index entry were measured, the others tuned (docs/decisions/003-search.md). Only their ratios matter.

/** Reading a row through an index. */
export const ROW_READ_COST = 2;
/** Comparing the words of a row with the query. */
export const ROW_CHECK_COST = 0.4;
/** Skipping an entry of an ordered index. */
export const INDEX_ENTRY_COST = 0.12;
/** An entry of a posting list in the inverted index. */
export const POSTING_COST = 0.27;
/** An entry of the posting lists of a prefix, which are merged before they are scanned. */
export const PREFIX_POSTING_COST = 0.22;
/** One alternative of the index query, for each listing scanned. */
export const QUERY_ALTERNATIVE_COST = 0.005;
/** Looking up a posting list. */
export const LEXEME_LOOKUP_COST = 4;
/** One alternative of a word compared with a row. */
export const ROW_ALTERNATIVE_COST = 0.06;
