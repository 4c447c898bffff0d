/** A guard to be switched off, and the tests that may notice it. */
export interface Trial {
  /** null: all guards stay on, to see that nothing is left behind by the trials before */
  guard: string | null;
  selections: Selection[];
  /** the guard is passed when modules are loaded, so they have to be loaded anew */
  reload: boolean;
}

export interface Selection {
  file: string;
  /** all of the file without */
  names?: string[];
}

const TRIAL_FILE = /\.trial-(\d+)(?=\.test\.tsx?$)/;

/** The name under which a file of tests runs in a trial, so that one process can run it many times. */
export const trialFile = (file: string, number: number): string =>
  file.replace(/(?=\.test\.tsx?$)/, `.trial-${number}`);

/** The number of the trial in the name of a file; null outside of trials. */
export function trialOf(file: string): number | null {
  const number = TRIAL_FILE.exec(file)?.[1];
  return number === undefined ? null : Number(number);
}

/** The name of the file itself. */
export const withoutTrial = (file: string): string => file.replace(TRIAL_FILE, '');
