import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Log } from './log.ts';

export type Role = 'buyer' | 'agent' | 'admin';

/** Who acts. Derived by the server from the session alone, never from request data. */
export type Actor =
  | { kind: 'visitor' }
  | {
      kind: 'user';
      id: string;
      role: Role;
      name: string;
      email: string;
      emailVerified: boolean;
      /** set for role agent */
      agentId: string | null;
      /** a suspended seller has read-only access; a suspended buyer cannot buy, ask or write */
      suspended: boolean;
      /** when the user of this session last proved who they are; null if never */
      provedAt: Date | null;
      /** an administrator who has to set up a second factor before anything else */
      mustAddFactor: boolean;
    }
  | { kind: 'system'; name: string };

export type UserActor = Extract<Actor, { kind: 'user' }>;

/** The first argument of every query and command. */
export interface Ctx {
  db: Database;
  config: Config;
  log: Log;
  actor: Actor;
  /** included in logs, audit rows and error pages */
  requestId: string;
  ip: string | null;
  now(): Date;
}

export const visitor: Actor = { kind: 'visitor' };

/**
 * The same context with the system as its actor, for what follows from an act whoever did it: entries of the ledger, tasks,
 * answers of providers. `name` says in the audit log which part of the system it was.
 */
export const asSystem = <C extends Ctx>(ctx: C, name: string): C => ({
  ...ctx,
  actor: { kind: 'system', name },
});
