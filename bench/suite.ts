/** What one suite measured. */
export interface SuiteReport {
  title: string;
  /** Markdown */
  text: string;
  /** promised figures that were missed, each in one sentence; empty when all hold */
  missed: string[];
}
