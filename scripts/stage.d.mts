/** Runs a command of a package or a script of the project. */
export declare function run(
  command: string,
  args?: string[],
  options?: { quiet?: boolean; env?: Record<string, string | undefined> },
): Promise<{ ok: boolean; output: string; seconds: number }>;
