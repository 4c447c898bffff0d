import type { Ctx } from '#platform/context.ts';

export interface Administrator {
  id: string;
  name: string;
  email: string;
}

/** All administrators but one, by name. */
export const administrators = (ctx: Ctx, { except }: { except: string | null }): Promise<Administrator[]> =>
  ctx.db
    .q()
    .selectFrom('users')
    .innerJoin('profiles', 'profiles.id', 'users.id')
    .select(['users.id', 'users.name', 'users.email'])
    .where('profiles.role', '=', 'admin')
    .where('users.closed_at', 'is', null)
    .$if(except !== null, (others) => others.where('users.id', '<>', except))
    .orderBy('users.name')
    .orderBy('users.id')
    .execute();
