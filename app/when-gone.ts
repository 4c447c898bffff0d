import { NotFound } from '#platform/errors.ts';

/** A result, or what `instead` makes where what it is about does not exist: somebody may have deleted it meanwhile. */
export const whenGone = <T, Instead>(result: Promise<T>, instead: () => Instead): Promise<T | Instead> =>
  result.catch((error: unknown) => {
    if (error instanceof NotFound) return instead();
    throw error;
  });

/** The same with null for what is gone: there is nothing to show then. */
export const nullWhenGone = <T>(result: Promise<T>): Promise<T | null> => whenGone(result, () => null);
