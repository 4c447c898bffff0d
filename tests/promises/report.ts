/** How extensively to test a promise. */
export interface RunOptions {
  /** number of trials, histories or operations */
  size: number;
  seed: number;
}

/** The result of a run; no findings means that the promise held. */
export interface Report {
  trials: number;
  findings: string[];
}
