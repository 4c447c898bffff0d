import type { Config } from './config.ts';
import type { Database } from './db/database.ts';
import type { Log } from './log.ts';

export type Role = 'buyer' | 'agent' | 'admin';

/** Who acts. Built by the server from the session alone; nothing a client sends becomes part of it (B-013, B-014). */
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
      suspended: boolean;
    }
  | { kind: 'system'; name: string };

export type UserActor = Extract<Actor, { kind: 'user' }>;

/** The first argument of every read and command. */
export interface Ctx {
  db: Database;
  config: Config;
  log: Log;
  actor: Actor;
  /** stands in logs, audit rows and error pages */
  requestId: string;
  ip: string | null;
  now(): Date;
}

export const visitor: Actor = { kind: 'visitor' };
