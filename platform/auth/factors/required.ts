import { type RawBuilder, sql } from 'kysely';
import type { Config } from '../../config.ts';
import type { Role } from '../../context.ts';

/** Whether accounts of a role need a second factor: administrators' do, but for those of the demo, which everybody shares. */
export const needsFactor = (role: Role, { demo }: Pick<Config, 'demo'>): boolean => role === 'admin' && !demo;

/** SQL: whether a user has a second factor; `userId` names the column with the user's id. */
export const hasFactor = (userId: string): RawBuilder<boolean> => sql<boolean>`(
  exists (select from authenticators f where f.user_id = ${sql.ref(userId)})
  or exists (select from passkeys f where f.user_id = ${sql.ref(userId)}))`;
