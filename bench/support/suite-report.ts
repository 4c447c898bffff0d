/** The result of one suite. */
export interface SuiteReport {
  title: string;
  /** Markdown */
  text: string;
  /** one sentence per missed promised figure; empty when all hold */
  missed: string[];
}
