import type { Ctx } from '#platform/context.ts';
import { AppError } from '#platform/errors.ts';
import { referenceOf } from '#platform/http/reference.ts';

/**
 * What one part of a page shows, or `instead` when reading it failed: that is logged, and the rest of the page stays.
 * @throws AppError and everything that is no error, such as a redirect: they are about the whole page
 */
export async function readOr<T, Instead>(
  ctx: Ctx,
  instead: Instead,
  read: () => Promise<T>,
): Promise<T | Instead> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof Error) || error instanceof AppError) throw error;
    ctx.log.error(
      { err: error, reference: referenceOf(ctx.requestId) },
      'a part of a page could not be read',
    );
    return instead;
  }
}

/** The same with null for a part that failed. */
export const readOrNull = <T>(ctx: Ctx, read: () => Promise<T>): Promise<T | null> => readOr(ctx, null, read);
