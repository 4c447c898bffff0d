/** The file cannot be read as a list of listings; the message is meant for whoever imports it. */
export class UnusableFile extends Error {
  override name = 'UnusableFile';
}

/** An error of reading the file at `path` as `UnusableFile`, where it says something about the file; others as they are. */
export function asUnusableFile(error: unknown, path: string): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null;
  if (code === 'ENOENT') return new UnusableFile(`There is no file ${path}.`);
  if (code === 'EACCES' || code === 'EPERM') return new UnusableFile(`The file ${path} may not be read.`);
  if (code === 'EIO') return new UnusableFile(`The file ${path} could not be read to its end.`);
  return error;
}
