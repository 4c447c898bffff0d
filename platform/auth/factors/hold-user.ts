import type { Ctx } from '../../context.ts';

/**
 * Takes a user's row as the foreign key of a new session does, until the current transaction ends. Whoever removes a factor takes that
 * row before the factor; who uses one up and took the row after it would wait for them in a circle.
 */
export async function holdUser({ db }: Ctx, userId: string): Promise<void> {
  await db.q().selectFrom('users').select('id').where('id', '=', userId).forKeyShare().execute();
}
